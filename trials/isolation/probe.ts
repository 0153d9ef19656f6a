import { setTimeout as sleep } from 'node:timers/promises'
import type { Reply } from '../harness/in-process.ts'
import type { ReportFailure } from '../harness/trial.ts'

const MAX_TRIES = 200

/** Something that is asked, and the text of it that an answer may repeat. */
export interface Probe {
  said?: string | undefined
}

/** Somebody who asks, and looks into every answer. */
export interface Prober<ProbeRequest extends Probe> {
  ask(probe: ProbeRequest): Promise<Reply>
  /** All of these must look like the first. */
  same(what: string, all: readonly ProbeRequest[]): Promise<Reply[]>
  probes(): number
}

export function prober<ProbeRequest extends Probe>(given: {
  who: string
  /** Matches everything that no response may contain. */
  foreign: RegExp
  send(probe: ProbeRequest): Promise<Reply>
  /** What else is wrong with an answer. */
  check(probe: ProbeRequest, reply: Reply): string | undefined
  reportFailure: ReportFailure
}): Prober<ProbeRequest> {
  const { who, foreign, send, check, reportFailure } = given
  let probes = 0

  async function ask(probe: ProbeRequest): Promise<Reply> {
    probes++
    const reply = await sendWhileBusy(probe)
    const wrong = wrongWith(probe, reply)
    if (wrong) reportFailure(`${who}, ${JSON.stringify(probe)}: ${wrong}: ${reply.status} ${reply.text}`)
    return reply
  }

  /** Everybody asks at once in one process, and a machine that does other things too is late: the service refuses more for a moment. */
  async function sendWhileBusy(probe: ProbeRequest): Promise<Reply> {
    for (let tries = 1; ; tries++) {
      const reply = await send(probe)
      const isBusy = reply.status === 503 || reply.text.includes('"too_many_searches"')
      if (!isBusy || tries === MAX_TRIES) return reply
      await sleep(50)
    }
  }

  function wrongWith(probe: ProbeRequest, reply: Reply): string | undefined {
    if (reply.status >= 500) return 'failed'
    if (foreign.test(unsaid(reply.text, probe))) return 'has something of another brand'
    return check(probe, reply)
  }

  return {
    ask,
    async same(what, all) {
      const replies = await Promise.all(all.map(ask))
      const looks = replies.map((reply, index) => comparable(reply, all[index]!))
      for (const [index, look] of looks.entries())
        if (look !== looks[0])
          reportFailure(`${what}, ${who}: ${JSON.stringify(all[index])} ${look} is not ${looks[0]}`)
      return replies
    },
    probes: () => probes,
  }
}

const unsaid = (text: string, { said }: Probe) =>
  said === undefined ? text : text.replaceAll(new RegExp(`(?<![\\w-])${said}(?![\\w-])`, 'g'), '…')

/** The parts of an answer that must be equal to another's: all but the request's id, the time, and what the request sent. */
export function comparable({ status, text, headers }: Reply, probe: Probe = {}): string {
  const { 'x-request-id': _, date: __, ...kept } = headers
  for (const name of ['ratelimit-remaining', 'ratelimit-reset']) delete kept[name] // others spend of the same budget meanwhile
  const timeless = unsaid(text, probe).replace(/,"now":"[^"]*"}$/, '}') // screens count ages by the server's clock
  const nameless = timeless.replace(/"plan":"[^"]*"/, '"plan":"…"') // named after the file that was sent
  return JSON.stringify([status, nameless, kept])
}

/** True for an empty page of a list with a total of 0, and for sums over a list that are all 0. */
export const isEmptyPage = ({ status, text }: Reply): boolean => {
  if (status !== 200) return false
  const { data, total, pagination } = JSON.parse(text)
  if (Array.isArray(data)) return data.length === 0 && (pagination?.total ?? total) === 0
  return Object.values(data).every((sum) => sum === 0)
}
