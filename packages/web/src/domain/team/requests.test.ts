import { anAbsence, aSettingsRow } from '@saldo/client/testing'
import { contentOf, defaultPolicy, type Entry, parseContent, type TeamSummary, WHOLE_DAY } from '@saldo/core'
import { expect, test } from 'vitest'
import { isAskedFor, requestOfAbsence, requestOfChange, requestOfCorrection } from './requests.ts'

const team: TeamSummary = {
  company: { id: 1, name: 'Acme' },
  roles: [],
  is_member: true,
  roles_without_key: [],
  left_on: null,
  is_admin: false,
  policy: { from: '2026-01-01', number: 1, policy: defaultPolicy },
  next_policy: {
    from: '2026-12-01',
    number: 2,
    policy: { ...defaultPolicy, absences: { ...defaultPolicy.absences, vacation: 'tell', unpaid: 'ask' } },
  },
}
const vacation = anAbsence('vacation', '2026-12-21')
const changeOf = (content: object | null) =>
  ({ kind: 'entries', id: vacation.id, content, updatedAt: '2026-11-28T10:00:00.000Z', seq: 3 }) as Parameters<
    typeof requestOfChange
  >[0]

test('[D26.8] a member asks for the kinds under ask, by the policy of the present date', () => {
  expect(isAskedFor(team, 'vacation', '2026-11-30')).toBe(true)
  expect(isAskedFor(team, 'vacation', '2026-12-01')).toBe(false)
  expect(isAskedFor(team, 'unpaid', '2026-12-01')).toBe(true)
  for (const kind of ['sick', 'public_holiday', 'work'] as const)
    expect(isAskedFor(team, kind, '2026-11-30')).toBe(false)
  expect(isAskedFor({ ...team, is_member: false }, 'vacation', '2026-11-30')).toBe(false)
  expect(isAskedFor(undefined, 'vacation', '2026-11-30')).toBe(false)
})

test('[D26.14] a request for an absence has its dates, kind and size', () => {
  const form = { kind: 'vacation', from: '2026-12-21', to: '2026-12-31', size: WHOLE_DAY, note: 'Rome' } as const
  const content = requestOfAbsence(form, { isPlanned: true, substitute: null })
  expect(parseContent('entries', content)).toMatchObject({ ok: true })
  expect(content).toMatchObject({ asks: 'absence', absence: 'vacation', date: '2026-12-21', last_date: '2026-12-31' })
  expect(content).toMatchObject({ planned: true, note: 'Rome', day_share: 1, changes: null })
})

test('a rejected new absence becomes a request for it', () => {
  const content = requestOfChange(changeOf(contentOf(vacation)), undefined, '2026-11-28')
  expect(parseContent('entries', content)).toMatchObject({ ok: true })
  expect(content).toMatchObject({ asks: 'absence', absence: 'vacation', date: '2026-12-21', last_date: '2026-12-21' })
})

test('[D25.11] a rejected new absence with a note is asked for as a change, whose note nobody else reads', () => {
  const content = requestOfChange(changeOf({ ...contentOf(vacation), note: 'secret' }), undefined, '2026-11-28')
  expect(content).toMatchObject({ asks: 'change', note: '', date: '2026-12-21', last_date: '2026-12-21' })
  expect(content.changes).toMatchObject([{ op: 'upsert', record: { id: vacation.id, note: 'secret' } }])
})

test('[D26.14] a rejected edit or deletion becomes a request that holds the change as a push has it', () => {
  const moved = { ...contentOf(vacation), date: '2026-12-28' }
  const edit = requestOfChange(changeOf(moved), vacation, '2026-11-28')
  expect(parseContent('entries', edit)).toMatchObject({ ok: true })
  expect(edit).toMatchObject({ asks: 'change', absence: null, date: '2026-12-21', last_date: '2026-12-28' })
  expect(edit.changes).toMatchObject([{ op: 'upsert', seq: 3, record: { id: vacation.id, date: '2026-12-28' } }])
  const deletion = requestOfChange(changeOf(null), vacation, '2026-11-28')
  expect(deletion.changes).toMatchObject([{ op: 'delete', id: vacation.id }])
  expect(requestOfChange(changeOf(null), undefined, '2026-11-28')).toMatchObject({ date: '2026-11-28' })
})

test('[D27.10] a change of a locked month becomes a request that holds it whole, on the dates that it touches', () => {
  const correction = (change: Parameters<typeof requestOfChange>[0], before?: Entry) => {
    const timeline = [aSettingsRow({ effective_from: '2026-01-01' })]
    const content = requestOfCorrection([{ change, before }], timeline, '2026-11-28')
    expect(parseContent('entries', content)).toMatchObject({ ok: true })
    const { asks, date, last_date, changes } = content
    return { asks, dates: [date, last_date], change: changes?.[0] }
  }
  const asked = correction(changeOf({ ...contentOf(vacation), project: 'Rome' }))
  expect(asked).toMatchObject({ asks: 'change', dates: ['2026-12-21', '2026-12-21'] })
  expect(asked.change).toMatchObject({ op: 'upsert', record: { id: vacation.id, kind: 'vacation', project: 'Rome' } })
  expect(correction(changeOf(null), vacation).dates).toEqual(['2026-12-21', '2026-12-21'])
  const adjustment = { kind: 'payout', effective_date: '2026-10-31', delta_ms: 1, reason: 'paid' }
  expect(correction({ ...changeOf(adjustment), kind: 'balance_adjustments' }).dates).toEqual([
    '2026-10-31',
    '2026-10-31',
  ])
  const grant = { kind: 'vacation_grant', date: '2026-12-31', days: 2, note: '', time_zone: null }
  expect(correction(changeOf(grant)).dates).toEqual(['2026-12-31', '2026-12-31'])
  const hours = { ...aSettingsRow({ effective_from: '2026-05-01' }), note: '' }
  expect(correction({ ...changeOf(hours), kind: 'settings_history' }).dates).toEqual(['2026-05-01', '2026-05-01'])
})
