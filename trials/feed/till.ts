import { randomUUID } from 'node:crypto'
import { line } from '../../server/src/pos/receipts/till-fixture.ts'
import { untilFree } from '../harness/in-process.ts'
import { API, type Office } from '../harness/office/back-office.ts'

/** Routes of the till, which a body made from a schema alone cannot use. */
export const isTill = (name: string) => /\/back-office\/api\/(receipts|tickets)\b/.test(name)

/** Fails where it does not do what it is for. */
export interface NamedWrite {
  name: string
  run(): Promise<unknown>
}

const paidWith = (amount: number) => ({ payment_methods: [{ id: 2, amount }] })

/** The ids of what a receipt has. */
interface PartsOf {
  linesOf(receipt: number): Promise<number[]>
  ticketsOf(receipt: number): Promise<number[]>
}

/** An evening at the till of the restaurant of till-fixture.ts: what staff do to receipts, one step after the other. */
export function tillWrites(office: Office, { linesOf, ticketsOf }: PartsOf): NamedWrite[] {
  let [receipt, other] = [0, 0]
  const step = (name: string, url: () => string | Promise<string>, body: object = {}) => {
    const [method, path] = name.split(' ') as [string, string]
    return {
      name,
      async run() {
        const cookie = await office.cookieFor({ method, url: `${API}${path}`, body: undefined, query: undefined })
        const address = `${API}${await url()}`
        const { status, text } = await untilFree(() => office.ask(method, address, cookie, body))
        if (status >= 300) throw new Error(`${status} ${text.slice(0, 200)}`)
        return JSON.parse(text).data
      },
    }
  }
  const open = (lines: object[], keep: (id: number) => void): NamedWrite => {
    const { name, run } = step('POST /receipts', () => '/receipts', { cid: randomUUID(), sale_type_id: 1, lines })
    return { name, run: async () => keep((await run()).id) }
  }
  const pathOf = (path = '') => `/receipts/${receipt}${path}`
  const lastLine = async () => pathOf(`/lines/${(await linesOf(receipt)).at(-1)}`)
  return [
    open([line(1, 2, { modifiers: [{ modifier_id: 1, count: 1 }] }), line(2)], (id) => {
      receipt = id
    }),
    step('PATCH /receipts/:id', () => pathOf(), { guests: 3, customer_id: 7 }),
    step('POST /receipts/:id/lines', () => pathOf('/lines'), { lines: [line(3)] }),
    step('PATCH /receipts/:id/lines/:line', lastLine, { count: 2 }),
    step('DELETE /receipts/:id/lines/:line', lastLine),
    step('POST /receipts/:id/lock', () => pathOf('/lock')),
    step('POST /receipts/:id/unlock', () => pathOf('/unlock')),
    step('POST /receipts/:id/send', () => pathOf('/send')),
    step('POST /tickets/:id/start', async () => `/tickets/${(await ticketsOf(receipt))[0]}/start`),
    open([line(2), line(4, 0.5)], (id) => {
      other = id
    }),
    step('POST /receipts/:id/payments', () => `/receipts/${other}/payments`, paidWith(1)),
    step('POST /receipts/:id/cancel', () => `/receipts/${other}/cancel`, { waste: false }),
    step('PUT /stop-list/:product', () => '/stop-list/1', { limit: 2 }), // the first receipt has the last
    open([line(1, 2)], (id) => {
      other = id
    }),
    step('PATCH /receipts/:id', () => `/receipts/${other}`, { customer_id: 7 }),
    step('POST /receipts/:id/close', () => `/receipts/${other}/close`, paidWith(29.5)),
    step('POST /receipts/:id/refund', () => `/receipts/${other}/refund`, { waste: false }),
  ]
}
