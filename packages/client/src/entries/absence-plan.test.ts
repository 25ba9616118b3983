import { anAbsence, aSettingsRow } from '@saldo/client/testing'
import {
  buildTimeline,
  type DateRange,
  HOUR_MS,
  type LocalDate,
  parseContent,
  sizeOfAmount,
  sizeOfShare,
  WHOLE_DAY,
} from '@saldo/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  type AbsenceForm,
  absenceChanges,
  absenceContent,
  absenceFormOf,
  absenceProblemOf,
  checkedRange,
  planAbsence,
  plannedTotals,
  withFirstDay,
  withLastDay,
} from './absence-plan.ts'
import type { AbsenceRecord } from './parts.ts'

const timeline = buildTimeline([aSettingsRow()])
const form: AbsenceForm = {
  kind: 'vacation',
  from: '2026-12-21',
  to: '2026-12-31',
  size: WHOLE_DAY,
  isSkippingFree: true,
  note: '',
}
const absences = [
  anAbsence('public_holiday', '2026-12-25'),
  anAbsence('public_holiday', '2026-12-24', 0.5),
] as AbsenceRecord[]

test('a range leaves out days without a target and days that are off already', () => {
  const plan = planAbsence(form, timeline, absences)
  expect(plan.free).toEqual(['2026-12-26', '2026-12-27'])
  expect(plan.full).toEqual(['2026-12-25'])
  expect(plan.days.map(({ date }) => date.slice(8))).toEqual(['21', '22', '23', '24', '28', '29', '30', '31'])
})

test('enters only the rest of a day that is partly off', () => {
  const { days } = planAbsence(form, timeline, absences)
  expect(days.find(({ date }) => date === '2026-12-24')?.size).toEqual(sizeOfShare(0.5))
})

test('enters days without a target if the user wants that', () => {
  expect(planAbsence({ ...form, kind: 'sick', isSkippingFree: false }, timeline, []).days).toHaveLength(11)
})

test('new absences are a single chosen day, free or not, or the days of a range that are not free', () => {
  const sunday = { from: '2026-12-27', to: '2026-12-27' } as const
  const datesIn = (range: DateRange) => {
    const drawn = absenceFormOf(undefined, range)
    return absenceChanges(drawn, undefined, planAbsence(drawn, timeline, [])).map(
      (change) => change.op === 'create' && change.content,
    )
  }
  expect(datesIn(sunday)).toMatchObject([{ kind: 'vacation', date: '2026-12-27', day_share: 1 }])
  expect(datesIn({ ...sunday, to: '2026-12-28' })).toMatchObject([{ date: '2026-12-28' }])
})

test('editing an absence changes its fields, whatever else is entered on its day', () => {
  const record = { ...anAbsence('sick', '2026-12-24', 0.5), note: 'flu' } as AbsenceRecord
  const drawn = absenceFormOf(record, { from: '2026-12-24', to: '2026-12-24' })
  expect(drawn).toMatchObject({ kind: 'sick', size: sizeOfShare(0.5), note: 'flu' })
  const edited = { ...drawn, kind: 'vacation', from: '2026-12-23', size: sizeOfAmount(90 * 60_000), note: '' } as const
  expect(absenceChanges(edited, record, undefined)).toEqual([
    {
      op: 'update',
      record,
      patch: { kind: 'vacation', date: '2026-12-23', day_share: null, amount_ms: 5_400_000, note: '' },
    },
  ])
})

test('reports wrong ranges and shares', () => {
  expect(absenceProblemOf(form)).toBeUndefined()
  expect(absenceProblemOf({ ...form, to: '2026-12-20' })).toBe('order')
  expect(absenceProblemOf({ ...form, to: '2028-12-20' })).toBe('tooLong')
  expect(absenceProblemOf({ ...form, size: sizeOfShare(0) })).toBe('share')
  expect(absenceProblemOf({ ...form, size: sizeOfShare(Number.NaN) })).toBe('share')
})

test('a form with a problem changes nothing, and neither does one without a day that is left', () => {
  const weekend = { ...form, from: '2026-12-26', to: '2026-12-27' } as const
  expect(absenceChanges(weekend, undefined, planAbsence(weekend, timeline, []))).toEqual([])
  const record = anAbsence('sick', '2026-12-24') as AbsenceRecord
  const wrong = { ...form, size: sizeOfShare(0) }
  expect(absenceChanges(wrong, record, undefined)).toEqual([])
  expect(absenceChanges(wrong, undefined, planAbsence(wrong, timeline, []))).toEqual([])
})

test('each day becomes a valid record', () => {
  const content = absenceContent({ ...form, note: 'Alps' }, { date: '2026-12-21', size: sizeOfShare(0.25) })
  expect(parseContent('entries', content)).toEqual({ ok: true, value: content })
})

test('all absences of a day and the planned share come to a whole day at most, and use what is left', () => {
  const thousandths = fc.integer({ min: 1, max: 1_000 })
  fc.assert(
    fc.property(fc.array(thousandths, { maxLength: 4 }), thousandths, (shares, wanted) => {
      const known = shares.map((share) => anAbsence('sick', '2026-12-21', share / 1_000)) as AbsenceRecord[]
      const plan = planAbsence({ ...form, to: form.from, size: sizeOfShare(wanted / 1_000) }, timeline, known)
      const left = 1_000 - shares.reduce((sum, share) => sum + share, 0)
      expect(plan.full).toEqual(left > 0 ? [] : ['2026-12-21'])
      expect(plan.days).toEqual(
        left > 0 ? [{ date: '2026-12-21', size: sizeOfShare(Math.min(wanted, left) / 1_000) }] : [],
      )
    }),
  )
})

test('an absence in hours is entered on days with planned time, and gets at most what other absences leave', () => {
  const hours = (count: number) => sizeOfAmount(count * HOUR_MS)
  const range = { ...form, from: '2026-12-24', to: '2026-12-26', isSkippingFree: false } as const
  const plan = planAbsence({ ...range, size: hours(5) }, timeline, absences)
  expect(plan).toEqual({
    days: [{ date: '2026-12-24', size: hours(4) }],
    free: ['2026-12-26'],
    full: ['2026-12-25'],
    replaced: [],
  })
})

test('[D2.39] sickness takes the days of other absences that give way, and names them', () => {
  const vacation = ['2026-12-21', '2026-12-22', '2026-12-23'].map((date) =>
    anAbsence('vacation', date as LocalDate),
  ) as AbsenceRecord[]
  const known = [...absences, ...vacation, anAbsence('vacation', '2026-12-28', 0.5)] as AbsenceRecord[]
  const sick = { ...form, kind: 'sick', from: '2026-12-22', to: '2026-12-29' } as const
  const plan = planAbsence(sick, timeline, known)
  expect(plan.days.map(({ date, size }) => [date.slice(8), size.day_share])).toEqual([
    ['22', 1],
    ['23', 1],
    ['24', 0.5],
    ['28', 1],
    ['29', 1],
  ])
  expect(plan.replaced).toEqual(['2026-12-22', '2026-12-23', '2026-12-28'])
  // Half a day of sickness beside half a day of vacation replaces nothing.
  const half = planAbsence({ ...sick, from: '2026-12-28', to: '2026-12-28', size: sizeOfShare(0.5) }, timeline, known)
  expect(half).toMatchObject({ days: [{ date: '2026-12-28' }], replaced: [] })
})

test('a day of leave beside an absence in hours takes the rest of the day in hours', () => {
  const doctor = { ...anAbsence('paid_other', '2026-12-21'), ...sizeOfAmount(1.5 * HOUR_MS) } as AbsenceRecord
  const { days } = planAbsence({ ...form, to: form.from }, timeline, [doctor])
  expect(days).toEqual([{ date: '2026-12-21', size: sizeOfAmount(6.5 * HOUR_MS) }])
})

test('the last day of a form goes with the first one if it is the same or would be before', () => {
  const single = { ...form, from: '2026-12-21', to: '2026-12-21' } as const
  expect(withFirstDay(single, '2026-12-18')).toEqual({ from: '2026-12-18', to: '2026-12-18' })
  expect(withFirstDay(form, '2026-12-30')).toEqual({ from: '2026-12-30' })
  expect(withFirstDay(form, '2026-12-31')).toEqual({ from: '2026-12-31' })
  expect(withFirstDay(form, '2027-01-01')).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  expect(withLastDay(single, '2026-12-28')).toEqual({ to: '2026-12-28', isSkippingFree: true })
  expect(withLastDay(form, '2026-12-28')).toEqual({ to: '2026-12-28' })
})

test('a range is at most 400 days long', () => {
  expect(absenceProblemOf({ ...form, from: '2026-01-01', to: '2027-02-04' })).toBeUndefined()
  expect(absenceProblemOf({ ...form, from: '2026-01-01', to: '2027-02-05' })).toBe('tooLong')
})

test('planned days have the sum of their shares and of their amounts', () => {
  const sizes = [sizeOfShare(0.5), WHOLE_DAY, sizeOfAmount(HOUR_MS), sizeOfAmount(2 * HOUR_MS)]
  const days = sizes.map((size) => ({ date: '2026-12-21' as const, size }))
  expect(plannedTotals(days)).toEqual({ shares: 1.5, amountMs: 3 * HOUR_MS })
})

test('a range has 400 days at most; of one that is too long or in the wrong order, the first day counts', () => {
  const [from, last, tooLate] = ['2026-01-01', '2027-02-04', '2027-02-05'] as const
  const rangeTo = (to: LocalDate) => [absenceProblemOf({ ...form, from, to }), checkedRange({ ...form, from, to }).to]
  expect(rangeTo(from)).toEqual([undefined, from])
  expect(rangeTo(last)).toEqual([undefined, last])
  expect(rangeTo(tooLate)).toEqual(['tooLong', from])
  expect(rangeTo('2025-12-31')).toEqual(['order', from])
})
