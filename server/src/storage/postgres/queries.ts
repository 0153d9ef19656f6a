import type { Queries } from '../database.ts'
import { postgresDialect } from '../dialect.ts'
import { StatementCache } from '../statement-cache.ts'
import type { Answer, Statement } from './exchange.ts'

/** Plain queries, by whatever sends a statement. */
export function queries(ask: (statement: Statement) => Promise<Answer>): Queries {
  return {
    dialect: postgresDialect,
    async rows<Row>(text: string, values: Statement['values']) {
      return objectsOf(await ask({ ...prepared(text), values })) as Row[]
    },
    async text(text, values) {
      return (await ask({ ...prepared(text), values })).rows[0]?.[0] as string | undefined
    },
    async texts(text, values) {
      return (await ask({ ...prepared(text), values })).rows.map(([first]) => first as string)
    },
    async run(text, values) {
      return countOf(await ask({ ...prepared(text), values }))
    },
  }
}

function objectsOf({ columns, rows }: Answer): object[] {
  return rows.map((values) => {
    const row: Record<string, unknown> = {}
    for (let index = 0; index < columns.length; index++) row[columns[index]!.name] = values[index]
    return row
  })
}

/** How many rows a statement changed, by its tag: `INSERT 0 2`, `UPDATE 2`. */
const countOf = ({ tag }: Answer) => Number(/\d+$/.exec(tag)?.[0] ?? 0)

const named = new StatementCache<{ name: string; text: string }>()
let names = 0

/** `?` becomes `$1`, `$2` …; each text has a name, under which connections prepare it. */
export function prepared(text: string): { name: string; text: string } {
  const known = named.get(text)
  if (known) return known
  const statement = { name: `c${++names}`, text: replacePlaceholders(text, (place) => `$${place}`) }
  named.add(text, statement)
  return statement
}

const LITERAL_OR_PLACEHOLDER = /'[^']*'|"[^"]*"|--.*|\?/g

/** Replaces each `?`, counted from 1. One in a literal or a comment is no value, and would shift those after it: it is refused. */
export function replacePlaceholders(text: string, placeholder: (place: number) => string): string {
  let place = 0
  return text.replaceAll(LITERAL_OR_PLACEHOLDER, (part) => {
    if (part === '?') return placeholder(++place)
    if (part.includes('?')) throw new Error(`A ? inside a literal or a comment of SQL: ${part}`)
    return part
  })
}
