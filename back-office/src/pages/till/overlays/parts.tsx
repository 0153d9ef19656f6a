import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type One } from '../../../api.ts'
import { Sentence } from '../../../components/refusal.tsx'
import { useAct } from '../../../live/use-act.ts'
import { tillTexts } from '../../../texts/screens/till.ts'
import { type Bill, isThere, type Receipt, titleOf } from '../receipt.ts'
import { useTill } from '../use-till.ts'
import { Overlay, Stepper } from './overlay.tsx'
import { type Picked, partsPlan, pickedOf, seatsIn } from './parting.ts'

const words = tillTexts.parts

/** Lines of a receipt get one of their own, or go to another: both totals are shown before. */
export function Parts({ bill: live, onClose }: { bill: Bill; onClose: () => void }) {
  const till = useTill()
  const venue = till.place.venue.id
  const [bill] = useState(live) // what is picked here is of the receipt as it was
  const lines = bill.lines.filter((line) => isThere(line) && line.id > 0)
  const [picked, setPicked] = useState<Picked>(new Map())
  const [target, setTarget] = useState(0)
  const [cid] = useState(() => crypto.randomUUID() as string)
  const others = (till.open.data?.data ?? []).filter((row) => row.id !== bill.id && !row.lock)
  const plan = partsPlan(bill, picked, { cid, target })
  const dry = useQuery({
    queryKey: ['parts', venue, bill.id, plan],
    async queryFn() {
      const ask = (path: string, body: object) =>
        api.act<One<Receipt | Receipt[]>>('POST', `/receipts/${bill.id}${path}?dry_run=1`, body, {
          key: crypto.randomUUID(),
          venue,
        })
      const answers = await Promise.all(plan!.asks.map(({ path, body }) => ask(path, body)))
      return answers.map(({ data }) => data)
    },
    enabled: plan !== undefined,
    networkMode: 'always',
    retry: false,
  })
  const act = useAct(
    ({ path, body }: { path: string; body: object }, key) =>
      api.act<One<Receipt | Receipt[]>>('POST', `/receipts/${bill.id}${path}`, body, { key, venue }),
    ({ data }) => {
      till.refresh()
      if (till.atHand() !== bill.cid) return
      if (!Array.isArray(data)) till.take(data)
      onClose()
    },
  )
  const toggle = (ids: readonly number[], count: (id: number) => number) =>
    setPicked(new Map([...picked, ...ids.map((id) => [id, count(id)] as const)]))
  const totals = dry.data && plan?.totals(dry.data)
  const error = act.error ?? dry.error
  return (
    <Overlay
      title={words.title}
      onClose={onClose}
      onSubmit={() => plan && totals && act.mutate(plan.act)}
      action={
        <button
          type="submit"
          className="till-key primary large"
          disabled={!plan || !totals || act.isPending || !till.online}
        >
          {plan ? words[plan.does] : words.split} <kbd>Enter</kbd>
        </button>
      }
    >
      <div className="till-choices">
        <button
          type="button"
          className="till-key"
          onClick={() => setPicked(new Map(lines.map(({ id, count }) => [id, count])))}
        >
          {words.all}
        </button>
        {seatsIn(lines).map((seat) => {
          const own = lines.filter((line) => line.seat === seat)
          const isOn = own.every(({ id, count }) => picked.get(id) === count)
          return (
            <button
              key={seat}
              type="button"
              className="till-key"
              aria-pressed={isOn}
              onClick={() =>
                toggle(
                  own.map(({ id }) => id),
                  (id) => (isOn ? 0 : own.find((line) => line.id === id)!.count),
                )
              }
            >
              {tillTexts.seatOf(seat)}
            </button>
          )
        })}
      </div>
      <ul className="till-parts-lines">
        {lines.map((line) => (
          <li key={line.id} className="till-fields">
            <label className="till-choice grow">
              <input
                type="checkbox"
                checked={(picked.get(line.id) ?? 0) > 0}
                onChange={({ currentTarget }) => toggle([line.id], () => (currentTarget.checked ? line.count : 0))}
              />
              <span>
                {line.count} × {line.name}
                {line.seat !== undefined && ` · ${tillTexts.seatOf(line.seat)}`}
              </span>
            </label>
            {Number.isInteger(line.count) && line.count > 1 && (
              <Stepper
                label={words.countOf(line.name)}
                value={picked.get(line.id) ?? 0}
                onChange={(count) => toggle([line.id], () => count)}
                min={0}
                max={line.count}
              />
            )}
          </li>
        ))}
      </ul>
      <label className="till-field grow">
        <span>{words.target}</span>
        <select value={target} onChange={({ currentTarget }) => setTarget(Number(currentTarget.value))}>
          <option value={0}>{words.newReceipt}</option>
          {others.map((row) => (
            <option key={row.id} value={row.id}>
              {titleOf(row, till.tableNames)} · #{row.number} · {till.money(row.remaining)}
            </option>
          ))}
        </select>
      </label>
      <p role="status">
        {pickedOf(picked).length === 0
          ? words.pick
          : !plan
            ? words.oneStays
            : totals &&
              words.totals(totals.here === undefined ? undefined : till.money(totals.here), till.money(totals.there))}
      </p>
      {error && (
        <p className="till-refused" role="alert">
          <Sentence of={error} />
        </p>
      )}
    </Overlay>
  )
}
