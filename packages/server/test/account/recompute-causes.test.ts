import { randomUUID } from 'node:crypto'
import type { Cause } from '@saldo/core'
import { beforeEach, describe, expect, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { absence, hours, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

const W46 = '2026-W46'

let account: TestAccount
const service = await serviceOfFile()
beforeEach(async () => {
  account = await TestAccount.open(service)
  await account.post('settings_history', settings('2026-01-01'))
})

const entry = (content: object | null, id: string = randomUUID()): SentChange => ({ kind: 'entries', id, content })
const DAY = '2026-11-10'
const NEXT_DAY = '2026-11-11'
const morning = (date: string) => work(`${date}T08:00Z`, `${date}T09:00Z`)
const evening = (date: string) => work(`${date}T18:00Z`, `${date}T19:00Z`)
const settingsRow = (hoursOfDay: number): SentChange => {
  const target_ms = [1, 1, 1, 1, 1, 0, 0].map((days) => hours(days * hoursOfDay))
  return { kind: 'settings_history', id: randomUUID(), content: settings(DAY, { target_ms }) }
}
const lastCauses = async (week = W46): Promise<Cause[]> => (await account.week(week)).revisions.at(-1).causes
/** Returns the causes of the last revision by type, operation and count. */
const namesOf = async (week = W46) =>
  (await lastCauses(week)).map(({ kind, entry_type, op, count }) => `${count} ${entry_type ?? kind} ${op}`)

describe('[D3.31] a revision of a week', () => {
  beforeEach(() => account.closeWeek(W46))

  test('names how many entries one push recorded, deleted and restored, with the last and their dates', async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID())
    const dates = [DAY, DAY, DAY, NEXT_DAY, NEXT_DAY, '2026-11-13']
    const contents = dates.map((date, index) => work(`${date}T0${index}:00Z`, `${date}T0${index}:45Z`))
    const six = { kind: 'entries', entry_type: 'timed', count: 6, id: ids[5], from: DAY, to: '2026-11-13' }
    await account.push(contents.map((content, index) => entry(content, ids[index])))
    expect(await lastCauses()).toEqual([{ ...six, op: 'create' }])
    await account.push(ids.map((id) => entry(null, id)))
    expect(await lastCauses()).toEqual([{ ...six, op: 'delete' }])
    await account.push(contents.map((content, index) => entry(content, ids[index])))
    expect(await lastCauses()).toEqual([{ ...six, op: 'restore' }])
    await account.push(ids.slice(0, 2).map((id) => entry(evening(DAY), id)))
    expect(await lastCauses()).toEqual([{ ...six, op: 'update', count: 2, id: ids[1], to: DAY }])
  })

  test('names each sort of change apart, of whatever kind of record', async () => {
    const row = settingsRow(7)
    await account.push([
      entry(morning(DAY)),
      entry(absence('sick', NEXT_DAY, 0.5)),
      row,
      entry({ ...evening(DAY), import_ref: 'csv:1' }),
      entry(absence('public_holiday', '2026-11-12')),
      entry(absence('vacation', '2026-11-13')),
    ])
    expect(await namesOf()).toEqual([
      '1 timed create',
      '2 absence create',
      '1 settings_history create',
      '1 timed import',
      '1 public_holiday create',
    ])
    await account.push([{ ...row, content: null }])
    expect(await namesOf()).toEqual(['1 settings_history delete'])
  })

  test('names no change that affects only other days than the changed ones', async () => {
    await account.closeWeek('2026-W45')
    await account.push([entry(morning(DAY)), entry(absence('sick', '2026-11-06'))])
    expect(await namesOf()).toEqual(['1 timed create'])
    expect(await namesOf('2026-W45')).toEqual(['1 absence create'])
  })

  test('of days that are closed names how many', async () => {
    const first = (await account.list('/api/settings'))[0] as { id: string }
    await account.put('settings_history', first.id, settings('2026-11-12'))
    await account.reopenWeek(W46)
    await account.closeWeek(W46)
    expect(await lastCauses()).toMatchObject([
      { kind: 'closed_weeks', op: 'close', count: 1, from: '2026-11-09', to: '2026-11-15' },
    ])
    await account.put('settings_history', first.id, settings('2026-01-01'))
    expect(await namesOf()).toEqual(['1 settings_history update'])
  })
})

describe('[D3.65] of the causes of a revision', () => {
  beforeEach(() => account.closeWeek(W46))

  test('a record that is changed twice counts once, for what became of it', async () => {
    const [first, other] = [randomUUID(), randomUUID()]
    await account.push([
      entry(morning(DAY), first),
      entry(evening(DAY), other),
      entry(work(`${DAY}T08:00Z`, `${DAY}T09:30Z`), first),
    ])
    expect(await lastCauses()).toMatchObject([{ op: 'create', count: 2, id: first }])
    await account.push([entry(evening(NEXT_DAY), first), entry(null, first)])
    expect(await namesOf()).toEqual(['1 timed delete'])
  })

  test('an entry that moves within the week counts once, one that moves to another week in both', async () => {
    const id = await account.post('entries', morning(DAY))
    await account.closeWeek('2026-W45')
    await account.push([entry(work('2026-11-13T08:00Z', '2026-11-13T08:30Z'), id)])
    expect(await lastCauses()).toMatchObject([{ op: 'update', count: 1, from: DAY, to: '2026-11-13' }])
    await account.push([entry(morning('2026-11-03'), id)])
    expect(await lastCauses()).toMatchObject([{ op: 'update', count: 1, from: '2026-11-13', to: '2026-11-13' }])
    expect(await lastCauses('2026-W45')).toMatchObject([{ op: 'update', count: 1, from: '2026-11-03' }])
  })

  test('a grant and a change of a note or a project are none', async () => {
    const id = await account.post('entries', morning(DAY))
    const grant = { kind: 'vacation_grant', date: DAY, days: 1 }
    await account.push([entry({ ...morning(DAY), note: 'x', project: 'y' }, id), entry(grant), entry(evening(DAY))])
    expect(await namesOf()).toEqual(['1 timed create'])
  })
})
