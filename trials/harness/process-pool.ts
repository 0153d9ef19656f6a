import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Trial } from './trial.ts'

const COMPILED = join(tmpdir(), 'node-compile-cache') // where `comptoir` has its own too

/** Processes of our own that run one module, each told what to do and answering with what it saw. */
export interface ProcessPool<Task, Result> {
  /** Gives each its task, all at once, and waits for all results. */
  run(tasks: readonly Task[]): Promise<Result[]>
  members: readonly ChildProcess[]
}

export async function startProcessPool<Task, Result>(
  trial: Trial,
  module: URL,
  size: number,
  execArgv: string[] = [],
): Promise<ProcessPool<Task, Result>> {
  const file = fileURLToPath(module)
  const members = Array.from({ length: size }, () =>
    fork(file, { env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILED }, execArgv, serialization: 'advanced' }),
  )
  const isGone = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null
  const end = async (member: ChildProcess) => {
    if (isGone(member)) return
    member.kill('SIGKILL')
    await once(member, 'exit')
  }
  trial.after(() => Promise.all(members.map(end)))
  const exits = new Map(members.map((member) => [member, once(member, 'exit')]))
  const answerOf = async <Message>(member: ChildProcess): Promise<Message> => {
    if (isGone(member)) throw new Error(`${file} has ended`)
    const gone = exits.get(member)!.then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`)))
    const [message] = (await Promise.race([once(member, 'message'), gone])) as [Message]
    gone.catch(() => {}) // it may leave later
    return message
  }
  await Promise.all(members.map(answerOf)) // ready
  return {
    members,
    run: (tasks) =>
      Promise.all(
        tasks.map((task, index) => {
          const answer = answerOf<Result>(members[index]!)
          members[index]!.send(task as object, () => {}) // one that is gone does not answer, which is reported
          return answer
        }),
      ),
  }
}

/** What such a module does: each task that comes is answered with its result. */
export function serveTasks<Task, Result>(work: (task: Task) => Promise<Result>): void {
  process.once('disconnect', () => process.exit()) // who would hear the answer has gone
  process.on('message', async (task: Task) => process.send!(await work(task)))
  process.send!('ready')
}
