import { useNow } from '../../../live/use-now.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import { titleOf } from '../receipt.ts'
import { useTill } from '../use-till.ts'

export const minutesSince = (instant: string, now: number) =>
  tillTexts.minutes(Math.max(0, Math.floor((now - Date.parse(instant)) / 60_000)))

/** Open receipts, the newest first, and the way to closed ones. */
export function OpenReceipts({ onTake, onClosed }: { onTake: () => void; onClosed: () => void }) {
  const till = useTill()
  const now = useNow(20_000)
  const rows = till.open.data?.data ?? []
  // While the server answers, one that was just begun is in the list of open ones at once.
  const unopened = till.acts.filter(
    ({ about, chain, refused }) =>
      about.kind === 'open' && (refused || !till.online) && !rows.some(({ cid }) => cid === chain),
  )
  return (
    <section className="till-open" aria-label={tillTexts.receipts}>
      <header className="till-left-head">
        <h2>
          {tillTexts.tabs.left} <span className="till-number">{rows.length}</span>
        </h2>
        {till.rights('receipts:read') && (
          <button type="button" className="till-key" onClick={onClosed}>
            {tillTexts.closedShort}
          </button>
        )}
      </header>
      {unopened.length > 0 && (
        <ul aria-label={tillTexts.unopened}>
          {unopened.map(({ chain, about }) => (
            <li key={chain}>
              <button
                type="button"
                className="till-receipt"
                aria-current={chain === till.hand?.cid}
                onClick={() => {
                  till.takeKept(chain)
                  onTake()
                }}
              >
                <b>{(about.kind === 'open' && titleOf(about.draft, till.tableNames)) || tillTexts.newReceipt}</b>
                <small>{tillTexts.unopened}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      {rows.length === 0 && <p className="till-quiet">{tillTexts.noReceipts}</p>}
      <ul>
        {rows.map((row) => (
          <li key={row.id}>
            <button
              type="button"
              className="till-receipt"
              aria-current={row.cid === till.hand?.cid}
              onClick={() => {
                till.take(row)
                onTake()
              }}
            >
              <b>{titleOf(row, till.tableNames)}</b>
              <b className="till-amount">{till.money(row.remaining)}</b>
              <small>
                {minutesSince(row.created_at, now)} · #{row.number} ·{' '}
                {till.saleTypes.find(({ id }) => id === row.sale_type_id)?.name}
              </small>
              <small className="till-amount">{row.remaining === 0 ? tillTexts.isPaid : tillTexts.unpaid}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
