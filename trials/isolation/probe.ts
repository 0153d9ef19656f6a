import type { Reply } from '../harness/in-process.ts'
import type { Broke } from '../harness/trial.ts'

/** Something that is asked, and the text of it that an answer may repeat. */
export interface Probe {
  said?: string | undefined
}

/** Somebody who asks, and looks into every answer. */
export interface Prober<Asked extends Probe> {
  ask(asked: Asked): Promise<Reply>
  /** All of these must look like the first. */
  same(what: string, all: readonly Asked[]): Promise<Reply[]>
  probes(): number
}

export function prober<Asked extends Probe>(given: {
  who: string
  /** What no answer may hold. */
  foreign: RegExp
  send(asked: Asked): Promise<Reply>
  /** What else is wrong with an answer. */
  judge(asked: Asked, reply: Reply): string | undefined
  broke: Broke
}): Prober<Asked> {
  const { who, foreign, send, judge, broke } = given
  let probes = 0

  async function ask(asked: Asked): Promise<Reply> {
    probes++
    const reply = await send(asked)
    const wrong = wrongWith(asked, reply)
    if (wrong) broke(`${who}, ${JSON.stringify(asked)}: ${wrong}: ${reply.status} ${reply.text}`)
    return reply
  }

  function wrongWith(asked: Asked, reply: Reply): string | undefined {
    if (reply.status >= 500) return 'failed'
    if (foreign.test(unsaid(reply.text, asked))) return 'has something of another brand'
    return judge(asked, reply)
  }

  return {
    ask,
    async same(what, all) {
      const replies = await Promise.all(all.map(ask))
      const looks = replies.map((reply, index) => alike(reply, all[index]!))
      for (const [index, look] of looks.entries())
        if (look !== looks[0]) broke(`${what}, ${who}: ${JSON.stringify(all[index])} ${look} is not ${looks[0]}`)
      return replies
    },
    probes: () => probes,
  }
}

const unsaid = (text: string, { said }: Probe) =>
  said === undefined ? text : text.replaceAll(new RegExp(`(?<![\\w-])${said}(?![\\w-])`, 'g'), '…')

/** What an answer may not differ in from another that must be alike: everything but which request it was, when, and what it said. */
export function alike({ status, text, headers }: Reply, asked: Probe = {}): string {
  const { 'x-request-id': _, date: __, ...kept } = headers
  for (const name of ['ratelimit-remaining', 'ratelimit-reset']) delete kept[name] // others spend of the same budget meanwhile
  return JSON.stringify([status, unsaid(text, asked), kept])
}

/** Of a page of a list: whether it is an empty one, with a total of nothing. */
export const isEmptyPage = ({ status, text }: Reply): boolean => {
  if (status !== 200) return false
  const { data, pagination } = JSON.parse(text)
  return data.length === 0 && pagination.total === 0
}
