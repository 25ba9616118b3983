import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseContent } from '../record.ts'
import { buildTimeline } from '../timeline.ts'
import { HOUR_MS, type RecordId } from '../values.ts'
import { awayDates, sharedDates } from './away.ts'
import { type AbsenceDates, absenceDates, plannedDates, type TeamFacts } from './facts.ts'
import { defaultPolicy } from './policy.ts'
import type { FactOwner, Viewer } from './visibility.ts'

const ID = '00000000-0000-4000-8000-000000000001' as RecordId
const settings = parseContent('settings_history', {
  effective_from: '2026-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
})
if (!settings.ok) throw new Error('the settings are not valid')
const timeline = buildTimeline([{ id: ID, ...settings.value }])
const december = { from: '2026-12-01', to: '2026-12-31' } as const
const absence = (kind: 'vacation' | 'sick', date: `2026-12-${number}`, share = 1) => ({
  kind,
  date,
  day_share: share,
  amount_ms: null,
})

test('[D25.3] absences are facts of dates with planned time, joined where one day follows another', () => {
  const days = ['2026-12-10', '2026-12-11', '2026-12-12', '2026-12-14'] as const
  const vacation = days.map((date) => absence('vacation', date))
  expect(absenceDates(vacation, timeline, [december])).toEqual([
    { from: '2026-12-10', to: '2026-12-11', isWholeDay: true, kinds: ['vacation'] },
    { from: '2026-12-14', to: '2026-12-14', isWholeDay: true, kinds: ['vacation'] },
  ])
})

test('[D25.2] two halves of a day are a whole day, whatever their kinds', () => {
  const halves = [absence('sick', '2026-12-10', 0.5), absence('vacation', '2026-12-10', 0.5)]
  expect(absenceDates(halves, timeline, [december])).toMatchObject([{ isWholeDay: true, kinds: ['sick', 'vacation'] }])
  expect(absenceDates(halves.slice(1), timeline, [december])).toMatchObject([{ isWholeDay: false }])
})

test('an amount of time is a part of the day, or all of it', () => {
  const hours = (amount_ms: number) => [{ kind: 'unpaid', date: '2026-12-10', day_share: null, amount_ms }] as const
  expect(absenceDates(hours(2 * HOUR_MS), timeline, [december])).toMatchObject([{ isWholeDay: false }])
  expect(absenceDates(hours(8 * HOUR_MS), timeline, [december])).toMatchObject([{ isWholeDay: true }])
})

test('the dates of a request are those with planned time', () => {
  expect(plannedDates(timeline, { from: '2026-12-11', to: '2026-12-14' })).toEqual([
    { from: '2026-12-11', to: '2026-12-11' },
    { from: '2026-12-14', to: '2026-12-14' },
  ])
})

const owner: FactOwner = { today: '2026-12-01', memberDates: [{ from: '2026-01-01', to: '9999-12-31' }] }
const colleague: Viewer = { isOwner: false, sharedDates: owner.memberDates, roles: [] }
const lead: Viewer = { isOwner: false, sharedDates: [], roles: [{ role: 'lead', dates: owner.memberDates }] }
const facts: TeamFacts = {
  absences: [
    { from: '2026-12-07', to: '2026-12-08', isWholeDay: true, kinds: ['sick'] },
    { from: '2026-12-09', to: '2026-12-09', isWholeDay: true, kinds: ['vacation'] },
    { from: '2026-12-10', to: '2026-12-10', isWholeDay: false, kinds: ['vacation'] },
  ],
  requests: [
    {
      id: ID,
      digest: 'a',
      asks: 'absence',
      absence: 'vacation',
      kinds: ['vacation'],
      from: '2026-12-14',
      to: '2026-12-15',
      days: [{ from: '2026-12-14', to: '2026-12-15' }],
      isPlanned: true,
      askedAt: '2026-11-01T00:00:00.000Z',
      substitute: null,
    },
  ],
}

test('[D25.2] [D25.5] a colleague sees one stretch of absence across kinds, and a planned request as asked', () => {
  expect(awayDates(colleague, owner, facts, december, defaultPolicy)).toEqual([
    { from: '2026-12-07', to: '2026-12-09', sight: 'away' },
    { from: '2026-12-10', to: '2026-12-10', sight: 'part' },
    { from: '2026-12-14', to: '2026-12-15', sight: 'asked' },
  ])
})

test('[D25.7] a lead sees the kinds of the policy beside what is hidden', () => {
  expect(awayDates(lead, owner, facts, december, defaultPolicy)).toEqual([
    { from: '2026-12-07', to: '2026-12-08', sight: 'away' },
    { from: '2026-12-09', to: '2026-12-09', sight: 'away', kind: 'vacation' },
    { from: '2026-12-10', to: '2026-12-10', sight: 'part', kind: 'vacation' },
    { from: '2026-12-14', to: '2026-12-15', sight: 'asked' },
  ])
})

test('a range cuts what is beyond it', () => {
  const range = { from: '2026-12-08', to: '2026-12-09' } as const
  expect(awayDates(colleague, owner, facts, range, defaultPolicy)).toEqual([{ ...range, sight: 'away' }])
})

test('[D25.6] facts that differ only in kinds and hidden requests give a colleague the same bytes', () => {
  const kinds = fc.constantFrom('vacation', 'sick', 'unpaid', 'paid_other', 'time_off_in_lieu', 'public_holiday')
  const dates = fc.uniqueArray(fc.integer({ min: 1, max: 28 }), { maxLength: 12 })
  const twoKinds = fc.tuple(kinds, kinds)
  fc.assert(
    fc.property(dates, fc.array(fc.tuple(twoKinds, fc.boolean()), { minLength: 12, maxLength: 12 }), (days, hidden) => {
      const inOrder = days.toSorted((a, b) => a - b)
      const factsOf = (which: 0 | 1): TeamFacts => ({
        absences: inOrder.map((day, index): AbsenceDates => {
          const date = `2026-12-${String(day).padStart(2, '0')}` as const as `2026-12-${number}`
          const [pair, isWholeDay] = hidden[index] ?? [['sick', 'sick'], true]
          return { from: date, to: date, isWholeDay, kinds: [pair[which]] as AbsenceDates['kinds'] }
        }),
        requests: which === 0 ? [] : facts.requests.map((request) => ({ ...request, isPlanned: false })),
      })
      const bytesOf = (which: 0 | 1) =>
        JSON.stringify(awayDates(colleague, owner, factsOf(which), december, defaultPolicy))
      expect(bytesOf(0)).toBe(bytesOf(1))
    }),
  )
})

test('[D25.4] shared dates are those on which both are members of the same group', () => {
  const of = (groupId: number, from: `2026-${number}-${number}`, to: `2026-${number}-${number}`) => ({
    groupId,
    dates: { from, to },
  })
  expect(
    sharedDates(
      [of(1, '2026-01-01', '2026-06-30'), of(2, '2026-07-01', '2026-12-31')],
      [of(1, '2026-03-01', '2026-12-31')],
    ),
  ).toEqual([{ from: '2026-03-01', to: '2026-06-30' }])
})

test('[D30.8] each date is looked at once, however many requests have it', () => {
  const ofDecember = facts.requests.map((request) => ({ ...request, days: [december] }))
  const requests = Array.from({ length: 200 }, () => ofDecember).flat()
  let looks = 0
  const viewer: Viewer = {
    ...colleague,
    get sharedDates() {
      looks += 1
      return owner.memberDates
    },
  }
  const seen = awayDates(viewer, owner, { absences: [], requests }, december, defaultPolicy)
  expect(seen).toEqual([{ ...december, sight: 'asked' }])
  expect(looks).toBe(31)
})
