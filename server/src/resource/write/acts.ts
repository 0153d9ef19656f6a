import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { ReasonKind } from '../../values/states.ts'
import { Id, Maybe, Note } from '../values.ts'

// T21: the journal of acts. A route declares its act, the command says what it touched and what is to be said of it, and the runner
// writes the acts in the command's transaction, so that no command can forget its own.

/** What a route of staff writes into the journal; 'none' where nobody asks who did it. */
export type ActDeclared =
  | 'none'
  | {
      readonly action: string
      /** Kinds that its acts may be of (T20): its body, or the query of a DELETE, takes a reason. */
      readonly kinds?: readonly ReasonKind[]
      /** T20: nobody here has a reason to give: somebody else decided what is given away, as in an order that staff accept. */
      readonly decidedBefore?: true
      /** Written even where no receipt was touched, as about a drawer. */
      readonly always?: true
    }

/** What a command says of one act; the runner adds who did it, when, where and why. */
export interface ActNote {
  readonly receipt_id?: number
  /** By default that of the route. */
  readonly action?: string
  readonly kind?: ReasonKind
  readonly line_id?: number
  /** ×10,000 */
  readonly amount?: number
  readonly from?: string
  readonly to?: string
}

/** What a command did to receipts. */
export interface Acts {
  /** The version that each receipt has now, by id. */
  readonly touched: Map<number, number>
  readonly notes: ActNote[]
}

export const newActs = (): Acts => ({ touched: new Map(), notes: [] })

/** T20: members that the bodies of commands take beside their own. */
const Why = { reason_id: Maybe(Id()), reason_note: Maybe(Note(200)) }
const WhyInQuery = {
  reason_id: Maybe(Type.String({ pattern: '^[1-9][0-9]{0,15}$' })), // in a query string everything is text
  reason_note: Maybe(Note(200)),
}
export interface Why {
  readonly reason_id?: number | undefined
  readonly reason_note?: string | undefined
}

/** Where a route takes its reason: none of those that outsiders call, and none whose act is of no kind. */
export function reasonPlace(route: {
  readonly method: unknown
  readonly act?: ActDeclared | undefined
  readonly described?: object | undefined
}): 'body' | 'query' | undefined {
  const { act, method, described } = route
  if (act === undefined || act === 'none' || act.kinds === undefined || described) return undefined
  return method === 'DELETE' ? 'query' : 'body'
}

/** The schema with the members of a reason. */
export function withWhy(schema: TSchema | undefined, place: 'body' | 'query'): TObject {
  const { properties = {} } = (schema ?? {}) as Partial<TObject>
  return Type.Object({ ...properties, ...(place === 'body' ? Why : WhyInQuery) }, { additionalProperties: false })
}

/** Parts what was sent into the command's own input and the reason. */
export function splitWhy<Sent>(sent: Sent): { own: Sent; why: Why } {
  const { reason_id, reason_note, ...own } = (sent ?? {}) as Static<TObject> & {
    reason_id?: number | string
    reason_note?: string
  }
  return { own: own as Sent, why: { reason_id: reason_id === undefined ? undefined : Number(reason_id), reason_note } }
}

/** Permissions by which people act on receipts, in the kitchen, at drawers and on money: routes that need one declare an act. */
const JOURNALED =
  /^(receipts:(?!read)|tips:|drawer:|cash-shifts:write|kitchen:use|orders:accept|customers:balance|finance-transactions:)/

/** The server refuses to start where a route of staff declares no act. */
export function requireAct({
  method,
  url,
  permission,
  act,
}: {
  readonly method: unknown
  readonly url: string
  readonly permission: string
  readonly act?: ActDeclared | undefined
}): void {
  if (act === undefined && JOURNALED.test(permission)) throw new Error(`${method} ${url} declares no act (T21)`)
}
