import type { Static, TSchema } from 'typebox'
import { type Problem, reader } from '../../values/schema-reader.ts'

/** A row that cannot be imported. The message is for the author of the file; `row` is set where several were written at once. */
export class RowProblem extends Error {
  readonly row: unknown
  /** All that its schema finds wrong with it, where that is the problem. */
  readonly problems: readonly Problem[]

  constructor(message: string, row?: unknown, problems: readonly Problem[] = []) {
    super(message)
    this.row = row
    this.problems = problems
  }
}

/** Refuses a row of which an amount or a rate is below 0. */
export function refuseNegative(row: unknown, member: string, value: number | undefined): void {
  if (value !== undefined && value < 0) throw new RowProblem(`${member} must be at least 0, not ${value}`, row)
}

/** Reads one row by the schema that also describes it on the wire. Null counts as absent, except where the schema allows null. */
export function rowReader<Row extends TSchema>(schema: Row): (row: Record<string, unknown>) => Static<Row> {
  const read = reader(schema, { now: Date.now, nullIsAbsent: true })
  return (row) => {
    const problems: Problem[] = []
    const value = read(row, problems)
    if (problems.length > 0) throw new RowProblem(sentence(problems[0]!), undefined, problems)
    return value
  }
}

const sentence = ({ field, explanation, value }: Problem) =>
  `${field} ${explanation}${value === undefined ? '' : `, not ${shown(value)}`}`

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}…` : text
}
