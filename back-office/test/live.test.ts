import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventReader } from '../src/live/event-stream.ts'
import { readKept } from '../src/live/kept/answers.ts'
import { kindsOf } from '../src/live/kinds.ts'
import { type Act, Outbox, type OutboxState, type Outcome } from '../src/live/outbox/outbox.ts'
import { unsentAnywhere, waitingElsewhere, waitingHere } from '../src/live/outbox/waiting.ts'
import { hearClock, serverTime } from '../src/live/server-clock.ts'
import { Taps } from '../src/pages/kitchen/taps.ts'
import { approvalHeader, ask, questions, withMore } from '../src/service/asking.ts'

const STREAM = `retry: 500\nid: evt_1\nevent: ready\ndata: {}\n\n: still here\n\nid: evt_2\nevent: receipt.opened\ndata: {"id":7}\n\n`

test('the clock of the server is that of its last answer, and never ahead of it', () => {
  const hour = 3_600_000
  hearClock(new Date(Date.now() - hour).toUTCString())
  const behind = Date.now() - Date.parse(serverTime())
  assert.ok(behind >= hour && behind < hour + 60_000, String(behind))
  for (const none of [null, 'soon']) hearClock(none)
  assert.ok(Date.now() - Date.parse(serverTime()) >= hour)
  hearClock(new Date().toUTCString())
  assert.ok(Date.parse(serverTime()) <= Date.now())
})

test('events read the same wherever the stream is cut', () => {
  const whole = eventReader()(STREAM)
  assert.deepEqual(whole, [
    { id: 'evt_1', type: 'ready', data: '{}' },
    { id: 'evt_2', type: 'receipt.opened', data: '{"id":7}' },
  ])
  for (let cut = 1; cut < STREAM.length; cut++) {
    const read = eventReader()
    assert.deepEqual([...read(STREAM.slice(0, cut)), ...read(STREAM.slice(cut))], whole, `cut at ${cut}`)
  }
})

test('a receipt makes receipts, tickets and Today old, an import everything', () => {
  assert.deepEqual(kindsOf('receipt.updated'), ['receipts', 'floor', 'tickets', 'today'])
  assert.deepEqual(kindsOf('role.updated'), [])
  assert.equal(kindsOf('import.completed'), undefined)
})

/** What one tab has kept; the next one takes it over. */
const memory = () => {
  let kept = '{"acts":[],"ids":{}}'
  return {
    takeOver: async (hear: (left: OutboxState) => OutboxState) => void hear(JSON.parse(kept)),
    save: (state: OutboxState) => {
      kept = JSON.stringify(state)
    },
  }
}
const act = (key: string, chain: string, path: string): Act => ({
  key,
  chain,
  path,
  venue: 1,
  method: 'POST',
  body: {},
  about: undefined,
})
const until = async (isTrue: () => boolean) => {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 1))
}

/** A server that can be away, and knows what it was sent. */
function server() {
  const sent: string[] = []
  const state = { isAway: false, refuses: '' }
  const send = async ({ key, chain }: Act, path: string): Promise<Outcome> => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    if (state.isAway) return { is: 'away' }
    sent.push(`${key} ${path}`)
    if (key === state.refuses) return { is: 'refused', slug: 'sold_out', message: 'Sold out.' }
    return { is: 'done', ...(path === '/receipts' && { ids: { [chain]: 17 } }) }
  }
  return { sent, state, send, settle: async () => ({}) }
}

test('a read that nobody answers shows what the page has, and what was kept only where it has nothing', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const read = (key: string, answer: Promise<string>, shown?: string, isUnanswered = true) =>
    readKept(
      'anna',
      key,
      () => answer,
      () => isUnanswered,
      () => shown,
    )
  const away = () => Promise.reject(new Error('away'))
  assert.equal(await read('receipt', Promise.resolve('without its line')), 'without its line')
  assert.equal(await read('receipt', away(), 'with its line'), 'with its line')
  assert.equal(await read('receipt', away()), 'without its line')
  await assert.rejects(read('receipt', away(), 'with its line', false), /away/)
  await assert.rejects(read('another', away()), /away/)
})

test('acts of a receipt are sent in order, once, with the id that opening it gave', async () => {
  const { sent, send, settle } = server()
  const outbox = new Outbox({ send, settle, store: memory() })
  outbox.add(act('a', 'r', '/receipts'))
  outbox.add(act('b', 'r', '/receipts/{r}/lines'))
  outbox.add(act('c', 'r', '/receipts/{r}/send'))
  outbox.flush()
  await until(() => outbox.acts().length === 0)
  assert.deepEqual(sent, ['a /receipts', 'b /receipts/17/lines', 'c /receipts/17/send'])
})

test('an outbox that is held sends nothing more and keeps what waits', async () => {
  const { sent, send, settle } = server()
  const store = memory()
  const held = new Outbox({ send, settle, store })
  held.hold()
  held.add(act('a', 'r', '/receipts'))
  held.flush()
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual([sent, held.acts().length], [[], 1])
  const next = new Outbox({ send, settle, store })
  next.flush()
  await until(() => next.acts().length === 0)
  assert.deepEqual(sent, ['a /receipts'])
})

test('what waits is not tried again and again while somebody else is signed in, and is sent when its person is back', async () => {
  const { sent, send, settle } = server()
  let isElse = true
  let tries = 0
  const outbox = new Outbox({
    async send(waiting, path) {
      tries++
      return isElse ? { is: 'signed_out' } : send(waiting, path)
    },
    settle,
    store: memory(),
    retryMs: 1,
  })
  outbox.add(act('a', 'r', '/receipts'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual([tries, outbox.acts().map(({ key, refused }) => [key, refused])], [1, [['a', undefined]]])
  isElse = false
  outbox.flush()
  await until(() => outbox.acts().length === 0)
  assert.deepEqual(sent, ['a /receipts'])
})

test('while the server is away acts are kept over a reload, with their keys, and sent when it is back', async () => {
  const { sent, state, send, settle } = server()
  const store = memory()
  state.isAway = true
  const before = new Outbox({ send, settle, store, retryMs: 1e6 })
  before.add(act('a', 'r', '/receipts'))
  before.add(act('b', 'r', '/receipts/{r}/lines'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(sent, [])

  const after = new Outbox({ send, settle, store, retryMs: 1 })
  assert.deepEqual(
    after.acts().map(({ key }) => key),
    ['a', 'b'],
  )
  after.flush()
  state.isAway = false
  await until(() => after.acts().length === 0)
  assert.deepEqual(sent, ['a /receipts', 'b /receipts/17/lines'])
  assert.equal(new Outbox({ send, settle, store }).acts().length, 0)
  for (const { key } of before.acts()) before.dismiss(key)
  before.flush() // ends its timer
})

test('a refused act says why until it is dismissed, and those after it go on; without a receipt they cannot', async () => {
  const { sent, state, send, settle } = server()
  const outbox = new Outbox({ send, settle, store: memory() })
  state.refuses = 'b'
  for (const [key, path] of Object.entries({ a: '/receipts', b: '/receipts/{r}/lines', c: '/receipts/{r}/lines' }))
    outbox.add(act(key, 'r', path))
  await until(() => sent.length === 3 && outbox.acts().length === 1)
  assert.deepEqual(outbox.acts()[0]?.refused, { slug: 'sold_out', message: 'Sold out.' })
  outbox.dismiss('b')
  assert.equal(outbox.acts().length, 0)

  state.refuses = 'd'
  outbox.add(act('d', 's', '/receipts'))
  outbox.add(act('e', 's', '/receipts/{s}/lines'))
  await until(() => outbox.acts().every(({ refused }) => refused))
  assert.deepEqual(
    outbox.acts().map(({ refused }) => refused?.slug),
    ['sold_out', 'not_opened'],
  )
})

test('what was typed while the server was away is read again once, and before an act that needs the id of a line', async () => {
  const { sent, state, send } = server()
  const reads: number[] = []
  const settle = async () => {
    reads.push(sent.length)
    return { 'line-3': 103 }
  }
  state.isAway = true
  const outbox = new Outbox({ send, settle, store: memory(), retryMs: 1e6 })
  outbox.add(act('open', 'r', '/receipts'))
  for (let line = 1; line <= 30; line++) outbox.add(act(`line-${line}`, 'r', '/receipts/{r}/lines'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  state.isAway = false
  outbox.flush()
  await until(() => outbox.acts().length === 0)
  assert.equal(sent.length, 31)
  assert.deepEqual(reads, [31], 'one read, at the end')

  outbox.add(act('more', 'r', '/receipts/{r}/lines'))
  outbox.add(act('note', 'r', '/receipts/{r}/lines/{line-3}'))
  outbox.add(act('void', 'r', '/receipts/{r}/lines/{line-3}'))
  await until(() => outbox.acts().length === 0)
  assert.deepEqual(sent.slice(-2), ['note /receipts/17/lines/103', 'void /receipts/17/lines/103'])
  assert.deepEqual(reads, [31, 34], 'the id was known')
})

test('an act on a line that was just added waits for the read that tells its id', async () => {
  const { sent, send } = server()
  let reads = 0
  const settle = async () => {
    reads += 1
    return { 'new-line': 7 }
  }
  const outbox = new Outbox({ send, settle, store: memory() })
  outbox.add(act('open', 'r', '/receipts'))
  outbox.add(act('new-line', 'r', '/receipts/{r}/lines'))
  outbox.add(act('note', 'r', '/receipts/{r}/lines/{new-line}'))
  await until(() => outbox.acts().length === 0)
  assert.deepEqual(sent, ['open /receipts', 'new-line /receipts/17/lines', 'note /receipts/17/lines/7'])
  assert.equal(reads, 2)
})

test('an act that needs several approvals has all of them, and a newer one for the same takes its place', () => {
  const lent = (right: string, token: string) => ({ approvals: new Map([[right, token]]) })
  const reason = { reason_id: 1 }
  const first = withMore({ reason }, lent('receipts:others 7', 'one'))
  const second = withMore(first, lent('receipts:void 7', 'two'))
  const third = withMore(second, lent('receipts:others 7', 'three'))
  assert.deepEqual([second, third].map(approvalHeader), [{ 'x-approval': 'one,two' }, { 'x-approval': 'three,two' }])
  assert.deepEqual([third.reason, approvalHeader({ reason })], [reason, {}])
})

test('an act that goes from one tab to another counts once', () => {
  waitingHere.set(new Map([['one', 0]]))
  waitingElsewhere.set(
    new Map([
      ['one', 0],
      ['two', 0],
    ]),
  )
  assert.equal(unsentAnywhere(), 2)
  waitingHere.set(new Map())
  waitingElsewhere.set(new Map())
})

test('somebody who leaves answers none of the questions that are open', async () => {
  const refused = { slug: 'reason_required', details: {} }
  const answers = Promise.all([ask(refused, '/receipts/1/void', {}), ask(refused, '/receipts/2/void', {})])
  questions.giveUp()
  assert.equal(questions.first(), undefined)
  assert.deepEqual(await answers, [undefined, undefined])
})

test('the second of two taps at once is none, and hits no ticket that has just moved up', (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  const taps = new Taps()
  assert.deepEqual([taps.isDouble(-1, 1), taps.isDouble(-1, 1), taps.isDouble(-2, 2)], [false, true, false])
  taps.left(2)
  now += 499
  assert.deepEqual([taps.isDouble(-3, 3), taps.isDouble(31, 3)], [true, true])
  now += 1
  assert.deepEqual(
    [taps.isDouble(-3, 3), taps.isDouble(31, 3)],
    [false, false],
    'a tap that was none is not the first of two',
  )
})
