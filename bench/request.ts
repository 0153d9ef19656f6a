export interface Varied {
  /** The name of a header, or `PATH`. */
  header: string
  values: string[]
  /** Whether a value is good for one request only. Those that were used are taken from the list. */
  once?: true
}

export const PATH = ':path'

export interface Request {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers: Record<string, string>
  body?: string
  /** The status that every answer must have. */
  status: number
  /** A header, or the path, that takes these values in turn. */
  vary?: Varied
}
