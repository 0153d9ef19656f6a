import type { CompiledQuery, DatabaseConnection, Driver } from 'kysely'

type Ask = (text: string, values: unknown[]) => Promise<{ rows: unknown[]; rowCount: number | null }>

/** What Kysely builds is asked like everything else: by the same connections, and within the same deadlines. */
export function driverOver(ask: Ask): Driver {
  const connection: DatabaseConnection = {
    async executeQuery<Row>({ sql, parameters }: CompiledQuery) {
      const { rows, rowCount } = await ask(sql, [...parameters])
      return { rows: rows as Row[], numAffectedRows: BigInt(rowCount ?? 0) }
    },
    streamQuery() {
      throw new Error('exports page by key instead')
    },
  }
  const outside = async () => {
    throw new Error('transactions go through Database.transaction')
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: outside,
    commitTransaction: outside,
    rollbackTransaction: outside,
    releaseConnection: async () => {},
    destroy: async () => {},
  }
}
