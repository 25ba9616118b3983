import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Saldo } from '@saldo/client'
import { exportJson, readExportedAccount, solidtimeCsv } from '@saldo/client/export'
import {
  closeExported,
  draftImport,
  type ImportAnswers,
  type ImportPreview,
  previewImport,
  readAccountNow,
  readImportFile,
  runImport,
  undoImport,
} from '@saldo/client/import'
import {
  type ContentInput,
  DAY_MS,
  FIRST_DATE,
  HOUR_MS,
  instantOf,
  isTimed,
  LAST_DATE,
  type RecordId,
} from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { eachWithPhone, Harness } from './harness.ts'

let harness: Harness
let phone: Saldo
eachWithPhone((opened, device) => {
  harness = opened
  phone = device
})

const fixtures = join(import.meta.dirname, '../../fixtures')
const TOGGL = readFileSync(join(fixtures, 'data/toggl-week-2018-W41.csv'))
const oslo: ImportAnswers = { timeZone: 'Europe/Oslo' }

const schedule: ContentInput<'settings_history'> = {
  effective_from: '2018-10-08',
  time_zone: 'Europe/Oslo',
  target_ms: [...Array(5).fill(7.5 * HOUR_MS), 0, 0] as ContentInput<'settings_history'>['target_ms'],
}

async function look(saldo: Saldo, bytes: Uint8Array, answers: ImportAnswers = oslo) {
  const file = await readImportFile({ name: 'file.csv', bytes }, { nowMs: harness.nowMs })
  const drafted = draftImport(file, answers)
  const preview = previewImport(await saldo.query(readAccountNow), drafted)
  return { file, preview, batch: drafted.batch as string }
}

async function importAll(
  saldo: Saldo,
  bytes: Uint8Array,
  answers?: ImportAnswers,
): Promise<ImportPreview & { batch: string }> {
  const { preview, batch } = await look(saldo, bytes, answers)
  await runImport(saldo, preview.drafts)
  await saldo.sync()
  expect(await saldo.outbox.list().read()).toEqual([])
  expect(await saldo.rejectedChanges.list().read()).toEqual([])
  return { ...preview, batch }
}

test('[D11.7] the preview has hours, projects, the balance before and after, closed weeks that change', async () => {
  await phone.settings.create(schedule).settled
  await phone.weeks.close('2018-W41')
  await phone.sync()
  const { preview } = await look(phone, TOGGL)
  expect(preview).toMatchObject({
    rows: 21,
    entries: 21,
    skipped: [],
    first: '2018-10-08',
    last: '2018-10-12',
    days: 5,
    worked_ms: 174_127_000,
    covered_ms: 155_688_000,
  })
  expect(preview.balanceAfterMs - preview.balanceBeforeMs).toBe(155_688_000)
  expect(preview.weeks).toMatchObject([{ week: '2018-W41', isClosed: true, after: { delta_ms: 20_688_000 } }])

  await importAll(phone, TOGGL)
  const { preview: after } = await look(phone, TOGGL)
  expect(after.balanceBeforeMs).toBe(preview.balanceAfterMs)
  // 21 rows settle the week once.
  expect(await harness.ask('/api/closed-weeks/2018-W41')).toMatchObject({ delta_ms: 20_688_000, revision: 2 })
})

test('[D11.11] rows that overlap work of the account are named, and so is the time that adds nothing', async () => {
  await phone.entries.create({ kind: 'work', started_at: '2018-10-08T08:00:00Z', ended_at: '2018-10-08T09:00:00Z' })
    .settled
  const rows = ['08:30,08:45', '08:40,10:00', '09:00,09:30', '07:00,08:00', '08:10,08:10']
  const csv = Buffer.from(['Date,Start,End', ...rows.map((times) => `2018-10-08,${times}`)].join('\n'))
  const { preview } = await look(phone, csv, { timeZone: 'UTC' })
  expect(preview).toMatchObject({
    covered_ms: 2.5 * HOUR_MS,
    overlapping_ms: HOUR_MS / 2,
    oddities: [
      { row: 6, oddity: 'zero_length' },
      { row: 2, oddity: 'overlaps_account' },
      { row: 3, oddity: 'overlaps_account' },
    ],
  })
})

test('[D11.1] a row whose work is still to come is named', async () => {
  const csv = Buffer.from('Date,Start,End\n2018-10-08,9:00,10:00\n2999-10-08,9:00,10:00')
  const { preview } = await look(phone, csv, { timeZone: 'Europe/Berlin' })
  expect(preview).toMatchObject({ entries: 2, oddities: [{ row: 3, oddity: 'in_the_future' }] })
})

test('[D11.2] the same file adds nothing a second time, on any device', async () => {
  const first = await importAll(phone, TOGGL)
  const laptop = await harness.device('laptop')
  const { preview } = await look(laptop, TOGGL, { timeZone: 'UTC' })
  expect(preview).toMatchObject({ rows: 21, entries: 0, first: null, last: null, worked_ms: 0 })
  expect(preview.skipped.map(({ reason }) => reason)).toEqual(Array(21).fill('already_imported'))
  expect(preview.balanceAfterMs).toBe(preview.balanceBeforeMs)
  expect(await runImport(laptop, preview.drafts)).toBe(0)
  expect(first.entries).toBe(21)
})

test('[D11.2] an entry with the import_ref of a row counts as imported, whatever its id', async () => {
  const { preview } = await look(phone, TOGGL)
  await phone.entries.create(preview.drafts[0]?.content).settled
  expect((await look(phone, TOGGL)).preview).toMatchObject({
    entries: 20,
    skipped: [{ row: 2, reason: 'already_imported' }],
  })
})

test('[D11.3] undoing a batch deletes its entries and nothing else, and it can be imported again', async () => {
  const own: ContentInput<'entries'> = {
    kind: 'work',
    started_at: '2018-10-08T18:00:00Z',
    ended_at: '2018-10-08T19:00:00Z',
  }
  await phone.entries.create(own).settled
  await importAll(phone, readFileSync(join(fixtures, 'import/kimai-de.csv')), { timeZone: 'Europe/Berlin' })
  await phone.sync()
  const digest = async () => (await harness.ask('/api/sync/digest')).kinds.entries
  const before = await digest()
  const { batch } = await importAll(phone, TOGGL)
  expect((await digest()).count).toBe(24)
  const laptop = await harness.device('laptop')
  expect(await undoImport(laptop, batch)).toBe(21)
  await laptop.sync()
  expect(await digest()).toEqual(before)
  expect(await undoImport(laptop, batch)).toBe(0)
  await phone.sync()
  expect((await importAll(phone, TOGGL)).entries).toBe(21)
})

test('[D11.8] an import that was cancelled, or cut off with the program, is completed by importing again', async () => {
  const bytes = hourly(2_500)
  harness.cutOff('phone')
  const { preview, batch } = await look(phone, bytes)
  const cancel = new AbortController()
  const seen: number[] = []
  const onProgress = (done: number) => {
    seen.push(done)
    cancel.abort()
  }
  expect(await runImport(phone, preview.drafts, { onProgress, signal: cancel.signal })).toBe(1_000)
  expect(seen).toEqual([1_000])
  await phone.close()
  const again = await harness.device('phone')
  const rest = (await look(again, bytes)).preview
  expect(rest).toMatchObject({ rows: 2_500, entries: 1_500 })
  await runImport(again, rest.drafts)
  await harness.connect('phone', again)
  expect((await harness.ask('/api/sync/digest')).kinds.entries.count).toBe(2_500)
  // So is its undo.
  const cancelUndo = new AbortController()
  const onUndoProgress = () => cancelUndo.abort()
  expect(await undoImport(again, batch, { onProgress: onUndoProgress, signal: cancelUndo.signal })).toBe(1_000)
  expect(await undoImport(again, batch)).toBe(1_500)
})

heavyTest('[D11.2] [D11.8] lost answers and ends of the program at random points leave each entry once', async () => {
  const bytes = hourly(1_300)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 4, maxLength: 12 }), fc.boolean(), async (losses, ends) => {
      const name = `device ${Math.abs(fc.hash(JSON.stringify([losses, ends])))}`
      // The entries that the run before deleted are imported again, later.
      harness.pass(1_000)
      let pushes = 0
      harness.change(name, '/api/sync/push', (reply) => {
        pushes += 1
        return losses[pushes] ? { outcome: 'retryable', retryAfterMs: 0 } : reply
      })
      let device = await harness.device(name)
      const cancel = new AbortController()
      const first = await look(device, bytes)
      const onProgress = () => (ends ? cancel.abort() : undefined)
      await runImport(device, first.preview.drafts, { onProgress, signal: cancel.signal })
      if (ends) {
        await device.close()
        device = await harness.device(name)
        await runImport(device, (await look(device, bytes)).preview.drafts)
      }
      const sendAll = async () => {
        while ((await device.status.read()).unsent !== 0) await device.sync()
      }
      await sendAll()
      expect((await harness.ask('/api/sync/digest')).kinds.entries.count).toBe(1_300)
      expect(await device.conflicts.list().read()).toEqual([])
      expect(await undoImport(device, first.batch)).toBe(1_300)
      await sendAll()
      expect((await harness.ask('/api/sync/digest')).kinds.entries.count).toBe(0)
    }),
    { numRuns: 3 },
  )
})

test('[D11.9] the export of an account gives another account the same records and closed figures', async () => {
  await phone.settings.create(schedule).settled
  await importAll(phone, TOGGL)
  await phone.entries.create({ kind: 'vacation', date: '2018-10-15', day_share: 0.5 }).settled
  await phone.entries.create({ kind: 'paid_other', date: '2018-10-16', amount_ms: 1.5 * HOUR_MS }).settled
  const running: ContentInput<'entries'> & { mood: string } = {
    kind: 'work',
    started_at: '2026-11-21T11:00:00Z',
    mood: 'a field of another program',
  }
  await phone.entries.create(running).settled
  await phone.balanceAdjustments.create({
    effective_date: '2018-10-08',
    delta_ms: HOUR_MS,
    kind: 'opening',
    reason: 'from the old book',
  }).settled
  for (const week of ['2018-W41', '2018-W42'] as const) await phone.weeks.close(week)
  await phone.days.close('2018-10-22')
  const exported = new TextEncoder().encode((await phone.userAccount.export()).text)

  const other = await Harness.open()
  try {
    const saldo = await other.device('other')
    const { file, preview } = await look(saldo, exported)
    expect(preview).toMatchObject({ rows: 26, entries: 24, settings: 1, adjustments: 1, skipped: [] })
    await runImport(saldo, preview.drafts)
    await saldo.sync()
    if (file.format !== 'saldo') throw new Error(file.format)
    expect(await closeExported(saldo, file)).toEqual({ weeks: [], days: [] })
    const [mine, theirs] = [await everything(harness), await everything(other)]
    expect(theirs).toEqual(mine)
    expect(mine.entries).toHaveLength(24)
    const balance = await harness.ask('/api/balance')
    expect(await other.ask('/api/balance')).toEqual(balance)
    expect(balance.closed_weeks_delta_ms).not.toBe(0)
    await saldo.sync()
    expect((await look(saldo, exported)).preview).toMatchObject({ entries: 0, settings: 0, adjustments: 0 })
  } finally {
    await other.close()
  }
})

test('[D11.10] a device exports the records as the service does, and its unsent changes with them', async () => {
  await phone.settings.create(schedule).settled
  await importAll(phone, TOGGL)
  await phone.balanceAdjustments.create({ effective_date: '2018-10-08', delta_ms: 1, kind: 'other', reason: 'a' })
    .settled
  await phone.weeks.close('2018-W41')
  await phone.sync()
  const profile = { name: 'Ada', personnel_number: '', employer: 'Harbour' }
  const user = { user_id: phone.user, email: 'ada@example.com', ...profile }
  const own = async () => JSON.parse(await phone.query((tables, nowMs) => exportJson(tables, user, nowMs)))
  const sorted = (records: Record<string, { id: string }[]>) =>
    Object.entries(records).map(([kind, list]) => [kind, list.toSorted((a, b) => (a.id < b.id ? -1 : 1))])
  const [mine, theirs] = [await own(), await harness.ask('/api/me/export')]
  expect(sorted(mine.records)).toEqual(sorted(theirs.records))
  expect(mine).toMatchObject({ exported_at: theirs.exported_at, version: theirs.version })
  expect(Object.keys(theirs.user)).toEqual(expect.arrayContaining(Object.keys(user)))
  expect((await look(phone, Buffer.from(JSON.stringify(mine)))).file).toMatchObject({
    profile: { name: 'Ada', employer: 'Harbour' },
  })

  harness.cutOff('phone')
  await phone.entries.create({ kind: 'sick', date: '2018-10-15' }).settled
  const unsent = new TextEncoder().encode(JSON.stringify(await own()))
  const other = await Harness.open()
  try {
    const saldo = await other.device('other')
    const { preview } = await look(saldo, unsent)
    expect(preview).toMatchObject({ entries: 22, settings: 1, adjustments: 1, skipped: [] })
    await runImport(saldo, preview.drafts)
    await saldo.sync()
    await harness.connect('phone', phone)
    expect((await everything(other)).entries).toEqual((await everything(harness)).entries)
  } finally {
    await other.close()
  }
})

test('[D11.10] an export says when it was made by the clock of the service, whatever this device says', async () => {
  const user = { user_id: phone.user, email: 'ada@example.com', name: '', personnel_number: '', employer: '' }
  for (const aheadMs of [3 * DAY_MS, -3 * DAY_MS]) {
    const device = await harness.device(`${aheadMs}`, { aheadMs })
    const exported = JSON.parse(await device.query((tables, nowMs) => exportJson(tables, user, nowMs)))
    expect(exported.exported_at).toBe(instantOf(harness.nowMs))
  }
})

test('[D3.44] exported tables end yesterday in the zone of the account, whatever the device says', async () => {
  await phone.settings.create({ ...schedule, effective_from: '2026-11-16', time_zone: 'Pacific/Kiritimati' }).settled
  await phone.sync()
  for (const aheadMs of [3 * DAY_MS, -3 * DAY_MS]) {
    const device = await harness.device(`${aheadMs}`, { aheadMs })
    const { today, days } = await readExportedAccount(device, harness.nowMs + aheadMs)
    expect(today).toBe('2026-11-22')
    expect(days.at(-1)?.date).toBe('2026-11-21')
  }
})

test('[D11.1] work exported in the layout of solidtime is imported as the same work', async () => {
  await importAll(phone, TOGGL)
  const entries = (await phone.entries.all().read()).map(({ record }) => record)
  const account = { timeline: [], entries, days: [], closedWeeks: [], adjustments: [], today: '2026-11-21' as const }
  const csv = solidtimeCsv(account, { from: FIRST_DATE, to: LAST_DATE }, { name: 'Ada', email: 'ada@example.com' })
  const other = await Harness.open()
  try {
    const saldo = await other.device('other')
    expect(await importAll(saldo, new TextEncoder().encode(csv))).toMatchObject({ entries: 21, worked_ms: 174_127_000 })
    const workOf = (records: typeof entries) =>
      records
        .map((record) => (isTimed(record) ? [record.started_at, record.ended_at, record.project, record.note] : []))
        .toSorted()
    expect(workOf((await saldo.entries.all().read()).map(({ record }) => record))).toEqual(workOf(entries))
  } finally {
    await other.close()
  }
})

/** Returns a CSV of half an hour of work every hour. */
function hourly(count: number): Uint8Array {
  const rows = Array.from({ length: count }, (_, index) => {
    const start = new Date(Date.parse('2019-01-01T00:00:00Z') + index * HOUR_MS).toISOString().slice(0, 19)
    return `n${index},${start}Z,${start.slice(0, 14)}30:00Z,p,t`
  })
  return new TextEncoder().encode(['description,start,end,project,tags', ...rows].join('\n'))
}

/** Returns all records of an account by kind, without what its service sets. */
async function everything(of: Harness): Promise<Record<string, object[]>> {
  const { records } = await of.ask('/api/me/export')
  const ownFields = ['version', 'updated_at', 'created_at', 'closed_at', 'revision', 'revisions', 'previous_delta_ms']
  const isOfService = (kind: string, name: string) =>
    ownFields.includes(name) || (kind.startsWith('closed_') && ['id', 'closed_by', 'first_closed_by'].includes(name))
  return Object.fromEntries(
    Object.entries(records as Record<string, { id: RecordId }[]>).map(([kind, list]) => [
      kind,
      list.map((record) => Object.fromEntries(Object.entries(record).filter(([name]) => !isOfService(kind, name)))),
    ]),
  )
}
