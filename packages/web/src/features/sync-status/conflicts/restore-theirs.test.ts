import type { Conflict, Saldo } from '@saldo/client'
import { expect, test } from 'vitest'
import { aWork } from '../../../../test/records.ts'
import { restoreTheirs } from './restore-theirs.ts'

const done: unknown[] = []
const collection = {
  create: async (...told: unknown[]) => done.push(told),
  delete: async (...told: unknown[]) => done.push(told),
}
const saldo = { entries: collection, settings: collection, balanceAdjustments: collection } as unknown as Saldo
const record = aWork(0, 1)
const conflict = (theirs: object | null) =>
  ({ mine: { kind: 'entries', id: record.id }, theirs: { record: theirs } }) as unknown as Conflict

test('theirs comes back as it was, or as deleted', async () => {
  await restoreTheirs(saldo, conflict(record))
  await restoreTheirs(saldo, conflict(null))
  expect(done).toEqual([[record, { id: record.id }], [record.id]])
})
