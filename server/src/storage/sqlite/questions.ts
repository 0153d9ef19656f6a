import type { Value } from '../database.ts'

// What the threads of SQLite are started with, and what they are asked.

/** The start options of the request log's thread. */
export interface ActivityFiles {
  /** The log's own file. Its content may be lost: a file of another schema, or a broken one, is replaced by a new one. */
  file: string
  /** The file of the data, which is only read. */
  data: string
  schema: readonly string[]
}

export interface ActivityQuestion {
  kind: 'rows' | 'run'
  text: string
  values: readonly (Value | Uint8Array<ArrayBuffer>)[]
}

/** The start options of the thread for long reads. */
export interface ReadFile {
  file: string
}

export interface LongRead {
  text: string
  values: readonly Value[]
  /** How long it may take. */
  ms: number
}

/** The start options of the thread that leaves nothing deleted in a file. */
export interface ScrubbedFile {
  file: string
  /** A smaller file is written again. */
  rewrittenBelow: number
}

/** The start options of the thread that copies a file. */
export interface CopiedFile {
  /** How it is opened. */
  source: string
  part: string
  /** The setting that marks the copy. */
  mark: [name: string, value: string]
  /** One number; another than 0 stops it. */
  stop: SharedArrayBuffer
}
