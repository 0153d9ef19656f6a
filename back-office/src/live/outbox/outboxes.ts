import { api, type One, Refused } from '../../api.ts'
import { receiptPath } from '../../pages/till/state/paths.ts'
import { loadRefusals } from '../../texts/refusals.ts'
import { type Act, isUnsent, Outbox, type Outcome } from './outbox.ts'
import { outboxStore } from './store.ts'
import { onHold, waitingHere } from './waiting.ts'

// The outboxes of this page. One for each screen as long as the page is loaded: two would send the same acts and forget each other's.

/** Not an answer to the act: the server is away, busy, or does not know who we are. The act waits. */
export const isAway = ({ status, slug }: Refused) =>
  status === 0 || status >= 500 || status === 401 || status === 429 || slug === 'idempotency_in_progress'

async function send(act: Act, path: string): Promise<Outcome> {
  try {
    const { data } = await api.act<{ data?: { id?: number; cid?: string } }>(act.method, path, act.body, {
      key: act.key,
      venue: act.venue,
    })
    return data?.cid && typeof data.id === 'number' ? { is: 'done', ids: { [data.cid]: data.id } } : { is: 'done' }
  } catch (error) {
    if (error instanceof Refused && error.slug === 'signed_out') return { is: 'signed_out' }
    if (!(error instanceof Refused) || isAway(error)) return { is: 'away' }
    return { is: 'refused', slug: error.slug, message: error.message, details: error.details }
  }
}

/** Without a screen only the ids matter that later acts need: those of a receipt's lines are in the receipt. */
async function readIds(outbox: Outbox, { chain, venue, about }: Act): Promise<Readonly<Record<string, number>>> {
  const id = (about as { receipt?: number } | undefined)?.receipt ?? outbox.idOf(chain)
  if (id === undefined) return {}
  try {
    const { data } = await api.readInVenue<One<{ receipt_products?: { cid: string; id: number }[] }>>(
      receiptPath(id),
      venue,
    )
    return Object.fromEntries((data.receipt_products ?? []).map((line) => [line.cid, line.id]))
  } catch (error) {
    if (error instanceof Refused && !isAway(error)) return {}
    throw error
  }
}

const outboxes = new Map<string, Outbox>()

export function outboxOf(person: string, name: string): Outbox {
  const id = `${person} ${name}`
  const known = outboxes.get(id)
  if (known) return known
  const made: Outbox = new Outbox({
    send,
    settle: (act) => readIds(made, act),
    store: outboxStore(person, name),
  })
  made.subscribe(() => {
    const acts = [...outboxes.values()].flatMap((each) => each.acts())
    waitingHere.set(new Map(acts.filter(isUnsent).map(({ key, since = 0 }) => [key, since])))
  })
  outboxes.set(id, made)
  void loadRefusals().catch(() => {}) // one that was kept is read again, perhaps without the server
  return made
}

onHold(() => {
  for (const outbox of outboxes.values()) outbox.hold()
})

/** The person of this page is signed in, or still is. */
export function releaseOutboxes(person: string): void {
  for (const [id, outbox] of outboxes) if (id.startsWith(`${person} `)) outbox.release()
}
