import type { Conflict, Saldo } from '@saldo/client'
import { aWork } from '@saldo/client/testing'
import { expect, test } from 'vitest'
import { restoreTheirs } from './restore-theirs.ts'

const calls: unknown[] = []
const collection = (name: string) => ({
  create: async (...call: unknown[]) => calls.push([name, ...call]),
  delete: async (...call: unknown[]) => calls.push([name, ...call]),
})
const saldo = {
  entries: collection('entries'),
  settings: collection('settings'),
  balanceAdjustments: collection('balanceAdjustments'),
} as unknown as Saldo
const record = aWork(0, 1)
const conflict = (theirs: object | null, kind = 'entries') =>
  ({ mine: { kind, id: record.id }, theirs: { record: theirs } }) as unknown as Conflict

test('restores the version of the other device, or its deletion', async () => {
  await restoreTheirs(saldo, conflict(record))
  await restoreTheirs(saldo, conflict(null))
  expect(calls.splice(0)).toEqual([
    ['entries', record, { id: record.id }],
    ['entries', record.id],
  ])
})

test('a settings row and an adjustment are restored as what they are', async () => {
  await restoreTheirs(saldo, conflict(null, 'settings_history'))
  await restoreTheirs(saldo, conflict(null, 'balance_adjustments'))
  expect(calls.splice(0)).toEqual([
    ['settings', record.id],
    ['balanceAdjustments', record.id],
  ])
})
