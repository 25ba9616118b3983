import { expect, test } from 'vitest'
import type { RequestContent } from '../entry.ts'
import { parseContent } from '../record.ts'
import type { LocalDate, RecordId, UserNumber } from '../values.ts'
import { defaultPolicy } from './policy.ts'
import {
  approvedEntryId,
  askedText,
  type DecidedState,
  decidersOf,
  hasSecondStage,
  isRequestTo,
  kindsAsked,
  requestState,
  stateAfter,
} from './requests.ts'
import type { RoleGrant, TeamRole } from './roles.ts'

const user = (number: number) => number as UserNumber
const ID = '00000000-0000-4000-8000-000000000001' as RecordId

function request(more: object = {}): RequestContent {
  const parsed = parseContent('entries', {
    kind: 'request',
    asks: 'absence',
    date: '2026-12-21',
    last_date: '2026-12-31',
    absence: 'vacation',
    ...more,
  })
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
  return parsed.value as RequestContent
}

const refused = (more: object) =>
  parseContent('entries', { kind: 'request', asks: 'absence', date: '2026-12-21', ...more })

test('[D26.14] a request is about up to 366 dates, and has what its aim needs', () => {
  expect(request()).toMatchObject({ day_share: 1, amount_ms: null, changes: null, planned: false, substitute: null })
  const pointersOf = (more: object) => {
    const parsed = refused(more)
    return parsed.ok ? [] : parsed.errors.map(({ pointer }) => pointer)
  }
  expect(pointersOf({ last_date: '2026-12-20', absence: 'vacation' })).toEqual(['/last_date'])
  expect(pointersOf({ last_date: '2027-12-22', absence: 'vacation' })).toEqual(['/last_date'])
  expect(pointersOf({ last_date: '2027-12-21', absence: 'vacation' })).toEqual([])
  expect(pointersOf({ last_date: '2026-12-31' })).toEqual(['/asks'])
  expect(pointersOf({ last_date: '2026-12-31', absence: 'vacation', changes: [{}] })).toEqual(['/asks'])
  expect(pointersOf({ last_date: '2026-12-31', asks: 'change', changes: [] })).toEqual(['/changes'])
  expect(pointersOf({ last_date: '2026-12-31', asks: 'change', changes: [{ kind: 'entries' }] })).toEqual([])
  const changes = (count: number) => Array.from({ length: count }, () => ({ kind: 'entries' }))
  expect(pointersOf({ last_date: '2026-12-31', asks: 'change', changes: changes(50) })).toEqual([])
  expect(pointersOf({ last_date: '2026-12-31', asks: 'change', changes: changes(51) })).toEqual(['/changes'])
  expect(pointersOf({ last_date: '2026-12-31', absence: 'public_holiday' })).toEqual(['/absence'])
})

test('[D26.4] the message is no part of what was asked, everything else is', () => {
  expect(askedText(request({ note: 'please' }))).toBe(askedText(request()))
  for (const more of [
    { last_date: '2026-12-30' },
    { absence: 'unpaid' },
    { day_share: 0.5 },
    { planned: true },
    { substitute: 7 },
    { of_a_newer_program: 1 },
  ]) {
    expect(askedText(request(more))).not.toBe(askedText(request()))
  }
})

test.each([
  [[], 'waiting'],
  [['a approved'], 'approved'],
  [['b approved'], 'waiting'],
  [['a waiting_for_hr'], 'waiting_for_hr'],
  [['a waiting_for_hr', 'a approved'], 'approved'],
  [['a waiting_for_hr', 'a declined'], 'declined'],
  [['b declined', 'a approved'], 'approved'],
  [['a approved', 'b approved'], 'waiting'],
  [['a approved', 'b approved', 'a declined'], 'declined'],
])('[D26.5] after the decisions %j, a request for content a is %s', (decisions, state) => {
  const parsed = decisions.map((each) => {
    const [digest = '', state] = each.split(' ')
    return { digest, state: state as DecidedState }
  })
  expect(requestState('a', parsed)).toBe(state)
})

test('[D26.8] the approval of a lead leaves it to HR where the policy of that moment has a second stage', () => {
  const [one, two] = [{ hasSecondStage: false }, { hasSecondStage: true }]
  expect(stateAfter({ outcome: 'approved', stage: 1 }, one)).toBe('approved')
  expect(stateAfter({ outcome: 'approved', stage: 1 }, two)).toBe('waiting_for_hr')
  expect(stateAfter({ outcome: 'approved', stage: 2 }, two)).toBe('approved')
  expect(stateAfter({ outcome: 'declined', stage: 1 }, two)).toBe('declined')
  const policy = { ...defaultPolicy, second_stage: ['vacation' as const] }
  expect(hasSecondStage(kindsAsked(request()), policy)).toBe(true)
  expect(hasSecondStage(kindsAsked(request({ asks: 'cancel' })), policy)).toBe(false)
  const changes = [{ kind: 'entries', op: 'upsert', record: { kind: 'vacation', date: '2026-12-03' } }]
  expect(hasSecondStage(kindsAsked(request({ asks: 'change', absence: null, changes })), policy)).toBe(true)
})

test('[D26.17] a request is one to the company that its user was in when writing it, about dates there', () => {
  const memberDates = [
    { from: '2026-03-01', to: '2026-03-31' },
    { from: '2026-11-10', to: '2026-12-31' },
  ] as const
  const isTo = (writtenOn: LocalDate, date: LocalDate, last_date = date) =>
    isRequestTo(memberDates, { date, last_date }, writtenOn)
  expect(isTo('2026-11-10', '2026-12-31')).toBe(true)
  expect(isTo('2026-11-10', '2026-11-01', '2026-11-10')).toBe(true)
  expect(isTo('2026-03-31', '2026-11-20')).toBe(true)
  expect(isTo('2026-11-09', '2026-11-20')).toBe(false)
  expect(isTo('2026-11-10', '2026-11-01', '2026-11-09')).toBe(false)
  expect(isTo('2026-11-10', '2027-01-01')).toBe(false)
})

const grant = (role: TeamRole, of: number, path: string): RoleGrant => ({
  id: of,
  user: user(of),
  role,
  path,
  from: '2026-01-01',
  until: null,
  standsInFor: null,
  givenBy: null,
  isConfirmed: true,
  wasConfirmed: true,
})
const owner = { user: user(1), path: '/1/2/3/' }
const names = (found: { user: UserNumber }[]) => found.map((decider) => Number(decider.user))

test('[D26.7] a request goes to the nearest lead, up the tree past its own user, and at the top to HR', () => {
  const hr = grant('hr', 8, '/1/')
  const top = grant('lead', 5, '/1/')
  const near = grant('lead', 6, '/1/2/3/')
  expect(names(decidersOf(owner, [hr, top, near], defaultPolicy))).toEqual([6])
  expect(names(decidersOf(owner, [hr, top, grant('lead', 1, '/1/2/3/')], defaultPolicy))).toEqual([5])
  expect(names(decidersOf(owner, [hr, grant('lead', 1, '/1/')], defaultPolicy))).toEqual([8])
  expect(names(decidersOf(owner, [hr, grant('lead', 6, '/1/9/')], defaultPolicy))).toEqual([8])
  expect(names(decidersOf(owner, [hr, top, near], defaultPolicy, 2))).toEqual([8])
})

test('[D26.7] a lead and a deputy of one group both may decide', () => {
  expect(names(decidersOf(owner, [grant('lead', 6, '/1/2/'), grant('deputy', 7, '/1/2/')], defaultPolicy))).toEqual([
    6, 7,
  ])
})

test('[D26.7] the deputy of a lead decides none of that lead, whose request goes up the tree', () => {
  const own = grant('lead', 1, '/1/2/')
  const deputy = { ...grant('deputy', 7, '/1/2/'), standsInFor: user(1) }
  const ofAnother = { ...grant('deputy', 9, '/1/2/'), standsInFor: user(6) }
  const above = [grant('lead', 5, '/1/'), grant('hr', 8, '/1/')]
  expect(names(decidersOf(owner, [own, deputy, ...above], defaultPolicy))).toEqual([5])
  expect(names(decidersOf(owner, [own, deputy, ofAnother, ...above], defaultPolicy))).toEqual([9])
  expect(names(decidersOf({ ...owner, user: user(2) }, [own, deputy, ...above], defaultPolicy))).toEqual([1, 7])
})

test('[D26.7] nobody decides an own request, unless the policy lets the only HR, which is marked', () => {
  const own = [grant('hr', 1, '/1/')]
  expect(decidersOf(owner, own, defaultPolicy)).toEqual([])
  expect(decidersOf(owner, own, { ...defaultPolicy, sole_hr_decides: true })).toEqual([{ user: user(1), isOwn: true }])
  const another = [...own, grant('hr', 8, '/1/')]
  expect(decidersOf(owner, another, { ...defaultPolicy, sole_hr_decides: true })).toEqual([
    { user: user(8), isOwn: false },
  ])
})

test('[D26.6] the ids of approved entries follow from user, request and date', () => {
  const id = approvedEntryId(user(1), ID, '2026-12-21')
  expect(approvedEntryId(user(1), ID, '2026-12-21')).toBe(id)
  expect(approvedEntryId(user(2), ID, '2026-12-21')).not.toBe(id)
  expect(approvedEntryId(user(1), ID, '2026-12-22')).not.toBe(id)
})
