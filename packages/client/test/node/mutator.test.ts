import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { Mutator } from '../../src/engine/mutator.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { OutboxRow } from '../../src/store/rows.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { conflict, contents, id, outboxRow, owner, rejectedChange } from '../rows.ts'
import { temporaryDir } from './child.ts'

const NOW_MS = Date.parse('2026-11-21T12:00:00.000Z')
const sick = { kind: 'sick', date: '2026-11-17' }

/** Returns a row of a change beside the same of another time, of another kind, and of another record. */
function withOthers<Row>(rowOf: (number: number, of: object) => Row): [Row, ...Row[]] {
  const otherTime = { updatedAt: '2026-11-21T08:30:00.001Z' }
  return [rowOf(1, {}), rowOf(1, otherTime), rowOf(1, { kind: 'balance_adjustments' }), rowOf(2, {})]
}
const [rejected, ...otherRejected] = withOthers((number, of) => {
  const { change, ...row } = rejectedChange(number)
  return { ...row, change: { ...change, ...of } }
})
const [lost, ...otherLost] = withOthers((number, of) => {
  const { mine, ...row } = conflict(number)
  return { ...row, mine: { ...mine, ...of } }
})
/** A later unsent change of another record. */
const unsent: OutboxRow = { ...outboxRow(2), place: 8, updatedAt: '2026-11-22T08:00:00.000Z' }

function mutatorOf(store: LocalStore): Mutator {
  return new Mutator({
    store,
    transport: () => Promise.reject(new Error('changes that were sent before are pushed')),
    clock: { now: () => NOW_MS, after: () => () => {} },
    newId: () => id(9),
    tabName: () => 'tab',
    isLive: () => true,
    onEvent: () => {},
    onLostResult: async () => {},
  })
}

const { kind, content } = rejected.change
const edited = { ...content, ...sick }
const decisions: [string, object, (mutator: Mutator) => Promise<void>, object[]][] = [
  ['retrying a rejected change', rejected, (mutator) => mutator.retry(rejected), [{ kind, content }]],
  ['editing a rejected change', rejected, (mutator) => mutator.edit(rejected, sick), [{ kind, content: edited }]],
  ['discarding a rejected change', rejected, (mutator) => mutator.discard(rejected), []],
  ['restoring a change that lost', lost, (mutator) => mutator.restoreMine(lost), [{ kind, content }]],
  ['dismissing a conflict', lost, (mutator) => mutator.dismiss(lost), []],
]

test.each(decisions)('[D7.20] [D7.21] %s leaves all other changes as they are', async (...row) => {
  const [, decided, decide, queued] = row
  const store = sqliteStore(join(temporaryDir(), 'store.db'))(owner)
  onTestFinished(() => store.close())
  await store.write(async (tables) => {
    await tables.rejectedChanges.put([rejected, ...otherRejected])
    await tables.conflicts.put([lost, ...otherLost])
    await tables.outbox.put([unsent])
  })
  const before = await contents(store)
  await decide(mutatorOf(store))
  const { rejectedChanges, conflicts, outbox } = await contents(store)
  const isOther = (one: object) => !isDeepStrictEqual(one, decided)
  expect([rejectedChanges, conflicts]).toEqual([
    before.rejectedChanges.filter(isOther),
    before.conflicts.filter(isOther),
  ])
  // A request carried them before, so that a deletion of the record has to be sent.
  expect(outbox).toMatchObject([...queued.map((one) => ({ ...one, id: id(1), generation: 1 })), unsent])
})
