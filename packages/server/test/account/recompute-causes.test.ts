import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { hours, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

const W46 = '2026-W46'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  account = await TestAccount.open(service)
  await account.post('settings_history', settings('2026-01-01'))
})

const entry = (content: object, id: string = randomUUID()): SentChange => ({ kind: 'entries', id, content })

describe('[D3.31] of several changes of a closed day in one push', () => {
  const DAY = '2026-11-10'
  const lastCause = async () => (await account.week(W46)).revisions.at(-1).cause
  const settingsRow = (targetMs: number[]): SentChange => {
    return { kind: 'settings_history', id: randomUUID(), content: settings('2026-11-10', { target_ms: targetMs }) }
  }
  const shorter = [7, 7, 7, 7, 7, 0, 0].map(hours)
  beforeEach(() => account.closeWeek(W46))

  test('the last is the cause, of whatever kind the others are', async () => {
    const change = entry(work(`${DAY}T08:00Z`, `${DAY}T09:00Z`))
    await account.push([settingsRow(shorter), change])
    expect(await lastCause()).toEqual({ kind: 'entries', id: change.id, op: 'upsert', date: DAY })
    const row = settingsRow([6, 6, 6, 6, 6, 0, 0].map(hours))
    await account.push([entry(work(`${DAY}T10:00Z`, `${DAY}T11:00Z`)), row])
    expect(await lastCause()).toEqual({ kind: 'settings_history', id: row.id, op: 'upsert', date: DAY })
  })

  test('a record that is changed twice counts at its second change', async () => {
    const [first, other] = [randomUUID(), randomUUID()]
    await account.push([
      entry(work(`${DAY}T08:00Z`, `${DAY}T09:00Z`), first),
      entry(work(`${DAY}T12:00Z`, `${DAY}T13:00Z`), other),
      entry(work(`${DAY}T08:00Z`, `${DAY}T09:30Z`), first),
    ])
    expect(await lastCause()).toMatchObject({ id: first })
  })

  test('a grant is none, because it is in the figures of no day', async () => {
    const change = entry(work(`${DAY}T08:00Z`, `${DAY}T09:00Z`))
    const grant = { kind: 'vacation_grant', date: DAY, days: 1 }
    await account.push([change, entry(grant)])
    expect(await lastCause()).toMatchObject({ id: change.id })
  })
})
