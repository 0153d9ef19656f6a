import pg from 'pg'
import { StatementCache } from '../statement-cache.ts'

// One message to PostgreSQL: several prepared statements and one Sync. The driver's own queries are one statement each, with a
// description of its columns every time; here a connection is told once what a statement answers.

/** A statement with its values; one with a name stays prepared on each connection. */
export interface Statement {
  readonly name?: string | undefined
  readonly text: string
  readonly values: readonly unknown[]
}

/** What the server answered to one statement. */
export interface Answer {
  readonly columns: readonly Column[]
  /** The values in the order of the columns. */
  readonly rows: unknown[][]
  /** What was done, and to how many rows: `INSERT 0 1`, `COMMIT`. */
  readonly tag: string
}

interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** The statements that a connection has prepared, by name, and what they answer; and those that it is to forget. */
class PreparedStatements {
  readonly unused = new Set<string>()
  readonly columnsOf = new StatementCache<readonly Column[]>((name) => this.unused.add(name))
}

const preparedOn = new WeakMap<pg.Connection, PreparedStatements>()

/**
 * Sends the statements in one message. When one fails, the server skips those after it and all are rejected; without an open
 * transaction, those before it are undone too. `timeMs` is how long to wait for the answers; 0: the connection's own limit.
 */
export const exchange = (client: pg.ClientBase, statements: readonly Statement[], timeMs = 0): Promise<Answer[]> =>
  new Promise((resolve, reject) => {
    client.query(new Exchange(statements, timeMs, (error, answers) => (error ? reject(error) : resolve(answers!))))
  })

/** As pg's client calls it: the messages of the protocol, in their order. */
class Exchange {
  readonly query_timeout: number
  callback: (error: Error | null, answers?: Answer[]) => void
  readonly #statements: readonly Statement[]
  readonly #answers: Answer[] = []
  #prepared!: PreparedStatements
  /** What each statement answers, where it was known when the message was written. */
  readonly #known: (readonly Column[] | undefined)[] = []
  /** What those answer that this message prepares, once they are done. */
  readonly #parsed = new Map<string, readonly Column[] | undefined>()
  #columns: readonly Column[] = []
  #rows: unknown[][] = []
  #failed: Error | undefined

  constructor(statements: readonly Statement[], timeMs: number, callback: Exchange['callback']) {
    this.#statements = statements
    this.query_timeout = timeMs
    this.callback = callback
  }

  submit(connection: pg.Connection): void {
    this.#prepared = preparedOn.get(connection) ?? new PreparedStatements()
    preparedOn.set(connection, this.#prepared)
    connection.stream.cork() // one write to the socket
    try {
      this.#write(connection)
      connection.stream.uncork()
    } catch (error) {
      connection.stream.destroy(error as Error) // half a message was written, and nothing else can follow it
    }
    this.#expect(0)
  }

  #write(connection: pg.Connection): void {
    const { unused, columnsOf } = this.#prepared
    for (const name of unused) connection.close({ type: 'S', name }, true)
    unused.clear()
    for (const { name = '', text, values } of this.#statements) {
      const columns = columnsOf.get(name)
      this.#known.push(columns)
      const isKnown = columns !== undefined || this.#parsed.has(name)
      if (!isKnown) {
        connection.close({ type: 'S', name }, true) // dropped by one of the statements before it, it is prepared still
        connection.parse({ name, text, types: [] }, true)
        if (name !== '') this.#parsed.set(name, undefined)
      }
      connection.bind({ statement: name, values: values.map(asText) } as never, true)
      if (!isKnown) connection.describe({ type: 'P' }, true)
      connection.execute(null, true)
    }
    connection.sync()
  }

  /** The next answer is to this statement. */
  #expect(index: number): void {
    this.#rows = []
    this.#columns = this.#known[index] ?? this.#parsed.get(this.#statements[index]?.name ?? '') ?? []
  }

  handleRowDescription({ fields }: { fields: readonly { name: string; dataTypeID: number }[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }))
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.#failed) return
    try {
      this.#rows.push(fields.map((text, index) => (text === null ? null : this.#columns[index]!.parse(text))))
    } catch (error) {
      this.#failed = error as Error
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const { name } = this.#statements[this.#answers.length]!
    if (name !== undefined && !this.#known[this.#answers.length] && !this.#parsed.get(name)) {
      this.#parsed.set(name, this.#columns)
      this.#prepared.unused.delete(name)
      this.#prepared.columnsOf.add(name, this.#columns)
    }
    this.#expect(this.#answers.push({ columns: this.#columns, rows: this.#rows, tag: text }))
  }

  /** Called for a statement that is only a comment. */
  handleEmptyQuery(): void {
    this.handleCommandComplete({ text: '' })
  }

  handleReadyForQuery(): void {
    this.callback(this.#failed ?? null, this.#answers)
  }

  handleError(error: Error): void {
    // The one that failed may be prepared all the same.
    for (const [name, columns] of this.#parsed) if (!columns) this.#prepared.unused.add(name)
    this.callback(error)
  }
}

function asText(value: unknown): string | null {
  if (value === null || typeof value === 'string') return value
  if (value === undefined) throw new TypeError('undefined is no value of a statement')
  return Array.isArray(value) ? `{${value.join()}}` : String(value)
}

const [BIGINT, VARCHAR] = [20, 1043]

/**
 * bigint arrives as text; a number beyond 2^53 − 1 would lose digits, so it is refused. No column is a varchar: it is how a query asks
 * for bytes (`dialect.bytes`).
 */
function parserOf(type: number): Column['parse'] {
  if (type === BIGINT) return safeInteger
  return type === VARCHAR ? (text) => Buffer.from(text) : pg.types.getTypeParser(type, 'text')
}

function safeInteger(text: string): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} does not fit a JSON number`)
  return number
}
