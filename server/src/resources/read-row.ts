import type { Static, TSchema } from 'typebox'
import { type Problem, reader } from '../values/schema-reader.ts'

/** What is wrong with one imported row, for the person who wrote it; `row` is the one, where several were put in at once. */
export class RowProblem extends Error {
  readonly row: unknown

  constructor(message: string, row?: unknown) {
    super(message)
    this.row = row
  }
}

/** Reads one row by the schema that also describes it on the wire. A null member is an absent one, except where it is nullable. */
export function rowReader<Row extends TSchema>(schema: Row): (row: Record<string, unknown>) => Static<Row> {
  const read = reader(schema, { now: Date.now, nullIsAbsent: true })
  return (row) => {
    const problems: Problem[] = []
    const value = read(row, problems)
    if (problems.length > 0) throw new RowProblem(sentence(problems[0]!))
    return value
  }
}

const sentence = ({ field, must, value }: Problem) =>
  `${field} ${must}${value === undefined ? '' : `, not ${shown(value)}`}`

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
