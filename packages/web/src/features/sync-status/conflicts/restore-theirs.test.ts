import type { Conflict, Saldo } from '@saldo/client'
import { aWork } from '@saldo/client/testing'
import { expect, test } from 'vitest'
import { restoreTheirs } from './restore-theirs.ts'

const calls: unknown[] = []
const collection = {
  create: async (...call: unknown[]) => calls.push(call),
  delete: async (...call: unknown[]) => calls.push(call),
}
const saldo = { entries: collection, settings: collection, balanceAdjustments: collection } as unknown as Saldo
const record = aWork(0, 1)
const conflict = (theirs: object | null) =>
  ({ mine: { kind: 'entries', id: record.id }, theirs: { record: theirs } }) as unknown as Conflict

test('restores the version of the other device, or its deletion', async () => {
  await restoreTheirs(saldo, conflict(record))
  await restoreTheirs(saldo, conflict(null))
  expect(calls).toEqual([[record, { id: record.id }], [record.id]])
})
