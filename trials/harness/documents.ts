import { type Reply, type Sent, untilFree } from './in-process.ts'
import { OPERATIONS, type Operation, plainRequest } from './openapi.ts'

// Stock documents can be changed, deleted and published only while they are drafts (S6), and orders be taken back only while they wait
// (S1), so each such request gets one of its own.

export const takesDocument = ({ path, method }: Operation) =>
  /^\/(operations|orders)\/\{id\}/.test(path) && method !== 'GET'

/** Makes what an operation is about: an order, or a draft, for a reversal a published document. Answers its id. */
export async function makeDocument({ name }: Operation, ask: (request: Sent) => Promise<Reply>): Promise<number> {
  const send = async (operationId: string, id?: number) => {
    const operation = OPERATIONS.find((each) => each.name === operationId)!
    const { status, text } = await untilFree(() => ask({ ...plainRequest(operation, id), headers: {} }))
    if (status !== 200) throw new Error(`${operationId} answered ${status} ${text}`)
    return (JSON.parse(text) as { data: { id: number } }).data.id
  }
  if (name === 'takeBackOrder') return send('placeOrder')
  const id = await send('createOperation')
  if (name === 'reverseOperation') await send('publishOperation', id)
  return id
}
