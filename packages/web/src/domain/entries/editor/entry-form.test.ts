import { anAbsence, aWork } from '@saldo/client/testing'
import {
  contentOf as contentOfRecord,
  type Entry,
  type EntryContent,
  HOUR_MS,
  type LocalDate,
  parseContent,
  sizeOfAmount,
  sizeOfShare,
} from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editedEntryOf, newWork } from './edited-entry.ts'
import {
  breakInside,
  contentOfForm,
  doubtOf,
  type EditableContent,
  endDateShown,
  entryValuesOf,
  formInOwnZone,
  withTimes,
} from './entry-form.ts'

const zone = 'Europe/Berlin'
const contentOf = (record: Entry) => contentOfRecord(record) as EditableContent
const nine = Date.parse('2026-11-20T08:00:00Z')
const before = contentOf(aWork(nine + 12_345, nine + HOUR_MS + 50_000, { project: 'Saldo', tags: ['ui'] }))

test('fields that were not edited keep their milliseconds', () => {
  const times = fc.tuple(fc.nat(10_000_000), fc.option(fc.nat(10_000_000)))
  fc.assert(
    fc.property(times, ([offset, length]) => {
      const content = contentOf(aWork(nine + offset, length === null ? null : nine + offset + length))
      expect(contentOfForm(entryValuesOf(content, zone), content, zone)).toEqual({ ok: true, content })
    }),
  )
  const absence = contentOf(anAbsence('sick', '2026-11-20', 0.5))
  expect(contentOfForm(entryValuesOf(absence, zone), absence, zone)).toEqual({ ok: true, content: absence })
})

test('dates and times are read in the time zone', () => {
  const form = {
    ...entryValuesOf(before, zone),
    endDate: '2026-11-21',
    end: '02:30',
    note: 'late',
    project: ' ',
  } as const
  expect(contentOfForm(form, before, zone)).toEqual({
    ok: true,
    content: { ...before, ended_at: '2026-11-21T01:30:00.000Z', note: 'late', project: null },
  })
})

test('an entry with a time zone is shown and read in that zone, another one in that of the account', () => {
  const spanIn = (time_zone: string | null) => {
    const { form, read } = formInOwnZone({ ...before, time_zone }, zone)
    const unchanged = read(form)
    const changed = read({ ...form, start: '06:00' })
    return { start: form.start, unchanged: unchanged.ok && unchanged.content, changed: changed.ok && changed.content }
  }
  const inLondon = { ...before, time_zone: 'Europe/London' }
  expect(spanIn('Europe/London')).toEqual({
    start: '08:00',
    unchanged: inLondon,
    changed: { ...inLondon, started_at: '2026-11-20T06:00:00.000Z' },
  })
  const inBerlin = { ...before, time_zone: null }
  expect(spanIn(null)).toEqual({
    start: '09:00',
    unchanged: inBerlin,
    changed: { ...inBerlin, started_at: '2026-11-20T05:00:00.000Z' },
  })
})

test('project, tags and whether work counts are those of the form; a break leaves the last as it is', () => {
  const form = { ...entryValuesOf(before, zone), project: ' Garden ', tags: ['b'], counts: false }
  const content = { ...before, project: 'Garden', tags: ['b'] }
  expect(contentOfForm(form, before, zone)).toEqual({ ok: true, content: { ...content, counts: false } })
  const pause = contentOfForm({ ...form, kind: 'break' }, before, zone)
  expect(pause).toEqual({ ok: true, content: { ...content, kind: 'break' } })
})

test('another date alone moves a start or an end by whole days', () => {
  const shown = entryValuesOf(before, zone)
  expect(contentOfForm({ ...shown, endDate: '2026-11-21' }, before, zone)).toMatchObject({
    content: { started_at: before.started_at, ended_at: '2026-11-21T09:00:00.000Z' },
  })
  expect(contentOfForm({ ...shown, date: '2026-11-19' }, before, zone)).toMatchObject({
    content: { started_at: '2026-11-19T08:00:00.000Z', ended_at: before.ended_at },
  })
})

test('an end before the start, a missing one, and one after more than 31 days are problems', () => {
  const form = entryValuesOf(before, zone)
  expect(contentOfForm({ ...form, end: '08:00' }, before, zone)).toEqual({ ok: false, problem: 'endBeforeStart' })
  expect(contentOfForm({ ...form, end: '' }, before, zone)).toEqual({ ok: false, problem: 'noTime' })
  expect(contentOfForm({ ...form, endDate: '2026-12-21', end: '09:00' }, before, zone)).toMatchObject({ ok: true })
  const toTheMinute = { ...form, start: '08:58', endDate: '2026-12-21' } as const
  expect(contentOfForm({ ...toTheMinute, end: '08:58' }, before, zone)).toMatchObject({ ok: true })
  expect(contentOfForm({ ...toTheMinute, end: '08:59' }, before, zone)).toMatchObject({ problem: 'tooLong' })
  expect(contentOfForm({ ...form, endDate: '2026-12-22' }, before, zone)).toEqual({ ok: false, problem: 'tooLong' })
  expect(contentOfForm({ ...form, end: '', isRunning: true }, before, zone)).toMatchObject({
    content: { ended_at: null },
  })
})

test('work can become a day of absence', () => {
  const content: EntryContent = before
  expect(
    contentOfForm({ ...entryValuesOf(content, zone), kind: 'sick', size: sizeOfShare(0.5) }, content, zone),
  ).toMatchObject({
    ok: true,
    content: { kind: 'sick', date: '2026-11-20', day_share: 0.5, amount_ms: null },
  })
  const problem = { ok: false, problem: 'share' }
  const ofShare = (share: number) =>
    contentOfForm({ ...entryValuesOf(content, zone), kind: 'sick', size: sizeOfShare(share) }, content, zone)
  expect([0, 0.01, 1, 1.01].map((share) => ofShare(share).ok)).toEqual([false, true, true, false])
  expect(ofShare(Number.NaN)).toEqual(problem)
})

test('an absence in hours is edited as such, and can become work again', () => {
  const absence = { ...contentOf(anAbsence('sick', '2026-11-20')), ...sizeOfAmount(90 * 60_000) } as EditableContent
  const form = entryValuesOf(absence, zone)
  expect(form.size).toEqual({ day_share: null, amount_ms: 5_400_000 })
  expect(contentOfForm(form, absence, zone)).toEqual({ ok: true, content: absence })
  const work = contentOfForm({ ...form, kind: 'work', start: '09:00', end: '10:00' }, absence, zone)
  expect(work).toMatchObject({ ok: true, content: { kind: 'work' } })
  expect(work.ok && Object.keys(work.content)).not.toContain('amount_ms')
})

test('a stored entry is edited as what it is, so that saving changes it', () => {
  const record = aWork(nine, nine + HOUR_MS, { note: 'a' })
  expect(editedEntryOf(record)).toEqual({ record, content: contentOf(record) })
})

test('new work is offered with the time that was drawn', () => {
  const { content } = newWork({ start: nine, end: nine + HOUR_MS }, zone)
  expect(entryValuesOf(content, zone)).toMatchObject({ kind: 'work', date: '2026-11-20', start: '09:00', end: '10:00' })
  expect(parseContent('entries', content)).toEqual({ ok: true, value: content })
  expect(content).toMatchObject({ counts: true })
})

test('an end before the start is on the next day, and long entries keep their days', () => {
  const form = entryValuesOf(before, zone)
  const overnight = { start: '22:00', end: '06:00' }
  expect(withTimes(form, overnight)).toEqual({ ...overnight, endDate: '2026-11-21' })
  expect(withTimes({ ...form, endDate: '2026-11-21' }, { end: '17:00' })).toMatchObject({ endDate: '2026-11-20' })
  expect(withTimes(form, { start: '08:00', end: '08:00' })).toMatchObject({ endDate: '2026-11-20' })
  expect(withTimes(form, { date: '2026-12-31' })).toMatchObject({ endDate: '2026-12-31' })
  expect(withTimes({ ...form, endDate: '2026-11-23' }, { date: '2026-11-21' })).toEqual({
    date: '2026-11-21',
    endDate: '2026-11-24',
  })
})

test('a break lies at noon or in the middle of the work, and is shorter', () => {
  const workOf = (hours: number) => contentOf(aWork(nine, nine + hours * HOUR_MS))
  expect(breakInside(workOf(8), HOUR_MS / 2, zone)).toMatchObject({
    kind: 'break',
    started_at: '2026-11-20T11:00:00.000Z',
    ended_at: '2026-11-20T11:30:00.000Z',
  })
  expect(breakInside(workOf(2), HOUR_MS, zone)).toMatchObject({ started_at: '2026-11-20T08:30:00.000Z' })
  expect(breakInside(workOf(1), HOUR_MS, zone)).toBeUndefined()
})

test('a break at noon lies inside the work: work that begins or ends with it has the break in its middle', () => {
  const noon = nine + 3 * HOUR_MS
  const startOf = (work: ReturnType<typeof aWork>) => breakInside(contentOf(work), HOUR_MS, zone)
  expect(startOf(aWork(noon, noon + 4 * HOUR_MS))).toMatchObject({ started_at: '2026-11-20T12:30:00.000Z' })
  expect(startOf(aWork(noon - 3 * HOUR_MS, noon + HOUR_MS))).toMatchObject({ started_at: '2026-11-20T09:30:00.000Z' })
})

test('[D32.1] a new time that lacks a length, is years away or is skipped is asked about, a stored one is not', () => {
  const form = entryValuesOf(before, zone)
  const doubt = (changed: Partial<typeof form>, stored?: typeof form) =>
    doubtOf({ ...form, ...changed }, stored, '2026-11-20', zone)
  expect(doubt({})).toBeUndefined()
  expect(doubt({ end: form.start })).toBe('noLength')
  expect(doubt({ end: form.start, isRunning: true })).toBeUndefined()
  expect(doubt({ end: form.start, kind: 'sick' })).toBeUndefined()
  const years = ['2020', '2021', '2027', '2028', '2199'].map((year) => `${year}-11-20` as LocalDate)
  const far = 'farDate'
  expect(years.map((date) => doubt({ date, endDate: date }))).toEqual([far, undefined, undefined, far, far])
  const stored = { ...form, end: form.start }
  expect(doubtOf({ ...stored, note: 'x' }, stored, '2026-11-20', zone)).toBeUndefined()
  const spring = { date: '2026-03-29', endDate: '2026-03-29' } as const
  expect(doubt({ ...spring, start: '02:30', end: '05:00' })).toBe('skippedTime')
  expect(doubt({ ...spring, start: '01:00', end: '02:00' })).toBe('skippedTime')
  expect(doubt({ ...spring, start: '01:00', end: '03:00' })).toBeUndefined()
  expect(doubt({ ...spring, start: '01:00', end: '02:00', isRunning: true })).toBeUndefined()
  expect(doubt({ date: '2026-10-25', endDate: '2026-10-25', start: '02:30', end: '24:00' })).toBeUndefined()
})

test('the date of an end is a note on the next day, and a field later', () => {
  const form = entryValuesOf(before, zone)
  const shown = (endDate: typeof form.endDate, isRunning = false) => endDateShown({ ...form, endDate, isRunning })
  expect(shown(form.date)).toBeUndefined()
  expect([shown('2026-11-21'), shown('2026-11-22')]).toEqual(['note', 'field'])
  expect([shown('2026-11-21', true), shown('2026-11-22', true)]).toEqual([undefined, undefined])
})
