import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupCommit, type Writer } from './sqlite-writer.ts'

/** A connection that only notes what it is told. */
function noted() {
  const texts: string[] = []
  let isInTransaction = false
  const writer = {
    tx: {} as Writer['tx'],
    exec(text: string) {
      texts.push(text)
      if (text === 'begin immediate') isInTransaction = true
      if (text === 'commit' || text === 'rollback') isInTransaction = false
    },
    isOpen: () => true,
    isInTransaction: () => isInTransaction,
    close() {},
  }
  const { transaction } = groupCommit(
    () => writer,
    1_000,
    () => undefined,
    {},
  )
  return { texts, transaction }
}

test('transactions that share a commit have a savepoint each; one alone has none, however it ends', async () => {
  const { texts, transaction } = noted()
  assert.equal(await transaction(async () => 1), 1)
  assert.deepEqual(texts.splice(0), ['begin immediate', 'commit'])

  await assert.rejects(
    transaction(() => Promise.reject(new Error('no'))),
    /no/,
  )
  assert.deepEqual(texts.splice(0), ['begin immediate', 'rollback'])

  const both = [transaction(async () => 1), transaction(() => Promise.reject(new Error('no')))]
  const [one, other] = await Promise.allSettled(both)
  assert.deepEqual([one!.status, other!.status], ['fulfilled', 'rejected'])
  assert.deepEqual(texts, [
    'begin immediate',
    'savepoint job',
    'release job',
    'savepoint job',
    'rollback to job; release job',
    'commit',
  ])
})
