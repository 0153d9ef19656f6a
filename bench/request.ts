export interface Request {
  method: 'GET' | 'POST'
  path: string
  headers: Record<string, string>
  body?: string
  /** The status that every answer must have. */
  status: number
  /** A header that takes these values in turn. */
  vary?: { header: string; values: readonly string[] }
}
