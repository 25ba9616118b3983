import { expect, test } from 'vitest'
import type { Stores } from '../../src/store/stores.ts'
import { TeamStore } from '../../src/store/team/team-store.ts'
import { AccountTrails } from '../../src/team/account-trail.ts'
import { newId, push, timeOf } from '../http/resources.ts'
import { act, type Call, HOUR_MS, record, schedule, startMonths, submit, work } from './month-company.ts'

const REASON = 'The terminal was broken on that day'
const late = (id: string) => ({
  kind: 'entries',
  op: 'upsert',
  record: { id, ...work('2026-10-07'), updated_at: '2026-11-21T12:00:00.000Z' },
})
const propose = (call: Call, user: number, changes: object[], more: object = {}) =>
  call('POST', `/api/team/members/${user}/changes`, { json: { id: newId(), reason: REASON, changes, ...more } })
const trailOf = async (call: Call, path = '/api/me/trail') =>
  (await call('GET', path)).body.items.map(
    ({ kind, actor }: { kind: string; actor: { name: string } }) => `${actor.name} ${kind}`,
  )
const workedIn = async (call: Call) => (await call('GET', '/api/me/months/2026-10')).body.sheet.totals.worked_ms

test('[D28.1] [D28.2] a proposal of HR changes a locked month once the person accepts', async () => {
  const { anna, ben, hera } = await startMonths()
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const id = newId()
  expect((await propose(ben.call, anna.user, [late(newId())])).status).toBe(404)
  expect((await propose(hera.call, hera.user, [late(newId())])).status).toBe(403)
  expect((await propose(hera.call, anna.user, [late(newId())], { apply: true })).status).toBe(403)
  expect((await propose(hera.call, anna.user, [{ kind: 'entries', op: 'upsert', record: { id } }])).status).toBe(422)
  const { body: made } = await propose(hera.call, anna.user, [late(id)])
  expect(made).toMatchObject({ state: 'waiting', by: { name: 'Hera' }, reason: REASON })
  expect(await workedIn(anna.call)).toBe(0)
  expect((await anna.call('GET', '/api/me/proposals')).body.items).toEqual([made])
  const answer = (text: string) => anna.call('POST', `/api/me/proposals/${made.id}/answer`, { json: { answer: text } })
  expect((await answer('accept')).status).toBe(204)
  expect((await answer('accept')).status).toBe(204)
  expect((await answer('decline')).status).toBe(409)
  expect((await trailOf(anna.call)).filter((row: string) => row === 'Hera change_applied')).toHaveLength(1)
  expect(await workedIn(anna.call)).toBe(9 * HOUR_MS)
  expect((await anna.call('GET', `/api/entries/${id}`)).body).toMatchObject({
    id,
    started_at: '2026-10-07T08:00:00.000Z',
  })
})

test('[D28.1] the proposals of HR to a person have a limit, since all of them are read at once', async () => {
  const { anna, hera } = await startMonths()
  const large = { ...late(newId()), record: { ...late(newId()).record, unknown: 'x'.repeat(60_000) } }
  const statuses: number[] = []
  for (let n = 0; n < 18; n += 1) statuses.push((await propose(hera.call, anna.user, Array(4).fill(large))).status)
  expect(statuses).toEqual([...Array(17).fill(200), 409])
  expect((await propose(hera.call, anna.user, [late(newId())])).status).toBe(200)
})

test('[D28.1] HR withdraws a proposal that waits, once, and nothing is made of it, or of a declined one', async () => {
  const { service, anna, ben, hera } = await startMonths()
  const first = (await propose(hera.call, anna.user, [late(newId())])).body.id
  service.clock.advance(1_000)
  const second = (await propose(hera.call, anna.user, [late(newId())])).body.id
  service.clock.advance(1_000)
  const unwanted = newId()
  const third = (await propose(hera.call, anna.user, [late(unwanted)])).body.id
  const path = (id: string) => `/api/team/members/${anna.user}/changes/${id}`
  expect((await ben.call('DELETE', path(first))).status).toBe(404)
  expect((await hera.call('DELETE', path(newId()))).status).toBe(404)
  for (const _ of [1, 2]) expect((await hera.call('DELETE', path(first))).status).toBe(204)
  const answer = (id: string, text = 'accept') =>
    anna.call('POST', `/api/me/proposals/${id}/answer`, { json: { answer: text } })
  expect((await answer(first)).status).toBe(409)
  expect((await answer(second)).status).toBe(204)
  expect((await answer(third, 'decline')).status).toBe(204)
  expect((await anna.call('GET', `/api/entries/${unwanted}`)).status).toBe(404)
  expect((await hera.call('DELETE', path(second))).status).toBe(409)
  const states = (await anna.call('GET', '/api/me/proposals')).body.items.map(({ state }: { state: string }) => state)
  expect(states).toEqual(['declined', 'accepted', 'withdrawn'])
  expect((await trailOf(anna.call)).slice(3, 4)).toEqual(['Hera change_withdrawn'])
})

test('[D28.1] [D28.3] HR applies a change at once where it may, and the trail says who and why', async () => {
  const { anna, hera } = await startMonths({ hr_changes: 'apply' })
  const id = await record(anna.call, { ...work('2026-11-19'), note: 'secret' })
  const at = '2026-11-21T12:00:00.000Z'
  const changes = [{ kind: 'entries', op: 'upsert', record: { id, ...work('2026-11-19', '08', '16'), updated_at: at } }]
  expect((await propose(hera.call, anna.user, changes, { apply: true })).body.state).toBe('applied')
  const stored = (await anna.call('GET', `/api/entries/${id}`)).body
  expect(stored).toMatchObject({ ended_at: '2026-11-19T16:00:00.000Z', note: '' })
  const { items } = (await anna.call('GET', '/api/me/trail')).body
  expect(items).toMatchObject([
    {
      kind: 'change_applied',
      actor: { name: 'Hera' },
      data: {
        ...{ record: 'entries', id, version: stored.version, reason: REASON, texts_changed: true },
        before: { ended_at: '2026-11-19T17:00:00.000Z' },
        after: { ended_at: '2026-11-19T16:00:00.000Z' },
      },
    },
  ])
  expect(JSON.stringify(items)).not.toContain('secret')
})

test('[D25.1] [D28.2] [D29.5] HR reads the times of a month, and what a change leaves out stays', async () => {
  const { anna, ben, hera } = await startMonths({ hr_changes: 'apply' })
  const texts = { note: 'secret', tags: ['a'], project: 'Falcon', x_mine: { own: 'x'.repeat(200) } }
  const id = await record(anna.call, { ...work('2026-11-19'), ...texts })
  await record(anna.call, { kind: 'vacation_grant', date: '2026-11-02', days: 2 })
  await record(anna.call, work('2026-10-30'))
  const path = `/api/team/members/${anna.user}/months/2026-11/records`
  const { text, body } = await hera.call('GET', path)
  expect(body.may_apply).toBe(true)
  expect(body.entries).toMatchObject([
    { kind: 'vacation_grant', date: '2026-11-02', days: 2 },
    { id, kind: 'work', started_at: '2026-11-19T08:00:00.000Z', ended_at: '2026-11-19T17:00:00.000Z' },
  ])
  expect(body.settings).toMatchObject([{ effective_from: '2026-09-01', target_ms: schedule.target_ms }])
  expect(text).not.toMatch(/secret|Falcon/)
  const { note, tags, project, ...times } = work('2026-11-19', '08', '16')
  const change = { kind: 'entries', op: 'upsert', record: { id, ...times, updated_at: '2026-11-21T12:00:00.000Z' } }
  expect((await propose(hera.call, anna.user, [change], { apply: true })).body.state).toBe('applied')
  expect((await anna.call('GET', `/api/entries/${id}`)).body).toMatchObject({
    ...texts,
    ended_at: '2026-11-19T16:00:00.000Z',
  })
  const sick = { kind: 'entries', op: 'upsert', record: { id, kind: 'sick', date: '2026-11-19' } }
  const asAbsence = { ...sick, record: { ...sick.record, updated_at: '2026-11-21T12:00:00.000Z' } }
  await propose(hera.call, anna.user, [asAbsence], { apply: true })
  const sickDay = (await anna.call('GET', `/api/entries/${id}`)).body
  expect(sickDay).toMatchObject({ ...texts, kind: 'sick', day_share: 1 })
  expect(sickDay).not.toHaveProperty('started_at')
  const tooLarge = { ...asAbsence, record: { ...asAbsence.record, x_other: 'x'.repeat(65_250) } }
  expect((await propose(hera.call, anna.user, [tooLarge], { apply: true })).body.detail).toBe(
    'Change 1 cannot be made: it must be at most 65536 bytes as JSON.',
  )
  expect(await trailOf(anna.call)).toContain('Hera days_read')
  for (const call of [anna.call, ben.call]) expect((await call('GET', path)).status).toBe(404)
  expect((await hera.call('GET', `/api/team/members/${hera.user}/months/2026-11/records`)).status).toBe(403)
})

test('[D28.1] the id of a proposal of another company says nothing of it', async () => {
  const { anna, hera, group, run, service } = await startMonths()
  const other = await group('Other')
  const id = newId()
  await run(
    `INSERT INTO proposals (user_id, id, company_id, proposed_by, proposed_at, reason, changes, state)
     VALUES ($1, $2, $3, $1, $4, 'of the other company', '[]', 'waiting')`,
    [anna.user, id, other.id, timeOf(service)],
  )
  const change = { kind: 'entries', op: 'delete', id: newId(), updated_at: '2026-11-21T12:00:00.000Z' }
  const json = { id, reason: 'A forgotten entry', changes: [change] }
  const { status, text } = await hera.call('POST', `/api/team/members/${anna.user}/changes`, { json })
  expect([status, text.includes('of the other company')]).toEqual([409, false])
})

test('[D28.5] a later edit of what HR changed wins, and HR sees that it did', async () => {
  const { service, anna, hera } = await startMonths({ hr_changes: 'apply' })
  const changesOfHr = async () => (await hera.call('GET', `/api/team/members/${anna.user}/changes`)).body.items
  for (const apply of [true, false]) {
    const id = newId()
    const changes = [
      { kind: 'entries', op: 'upsert', record: { id, ...work('2026-11-19'), updated_at: '2026-11-21T12:00:00.000Z' } },
    ]
    const made = (await propose(hera.call, anna.user, changes, { apply })).body
    if (!apply) await anna.call('POST', `/api/me/proposals/${made.id}/answer`, { json: { answer: 'accept' } })
    const overriddenAt = async () =>
      (await changesOfHr()).find((one: { id: string }) => one.id === made.id).overridden_at
    await record(anna.call, work('2026-11-18'))
    expect(await overriddenAt()).toBe(null)
    await anna.call('PUT', `/api/entries/${id}`, { json: work('2026-11-19', '08', '15') })
    expect(await overriddenAt()).toBe('2026-11-21T12:00:00.000Z')
    expect((await anna.call('GET', `/api/entries/${id}`)).body.ended_at).toBe('2026-11-19T15:00:00.000Z')
  }
  expect((await anna.call('GET', `/api/team/members/${anna.user}/changes`)).status).toBe(404)
  // Of two changes of a record, the one that was made last is overridden, whichever was proposed first.
  const [first, second] = [newId(), newId()]
  const last = newId()
  for (const id of [first, second]) {
    service.clock.advance(1_000)
    await propose(hera.call, anna.user, [late(last)], { id })
  }
  for (const id of [second, first]) {
    service.clock.advance(1_000)
    await anna.call('POST', `/api/me/proposals/${id}/answer`, { json: { answer: 'accept' } })
  }
  await anna.call('PUT', `/api/entries/${last}`, { json: work('2026-10-07', '08', '15') })
  const overridden = (await changesOfHr()).filter((one: { overridden_at: string | null }) => one.overridden_at !== null)
  expect(overridden.map(({ id }: { id: string }) => id)).toContain(first)
  expect(overridden).toHaveLength(3)
})

test('[D28.6] a change of what HR manages is rejected as `managed`, and can be asked for', async () => {
  const { service, anna, ben } = await startMonths({ managed: ['settings', 'adjustments', 'grants'] })
  const at = timeOf(service)
  const upsert = (kind: string, fields: object) => ({
    kind,
    op: 'upsert',
    record: { id: newId(), ...fields, updated_at: at },
  })
  const changes = [
    upsert('settings_history', { ...schedule, effective_from: '2026-12-01' }),
    upsert('balance_adjustments', { effective_date: '2026-11-20', delta_ms: 1, kind: 'other', reason: 'x' }),
    upsert('entries', { kind: 'vacation_grant', date: '2026-11-20', days: 1 }),
    upsert('entries', work('2026-11-20')),
  ]
  const results = await push(anna.call, changes)
  expect(results.map((one: { status: string; problem?: { code: string } }) => one.problem?.code ?? one.status)).toEqual(
    [...['managed', 'managed', 'managed', 'applied']],
  )
  const request = newId()
  const asked = {
    kind: 'request',
    asks: 'change',
    date: '2026-11-20',
    last_date: '2026-11-20',
    changes: changes.slice(2, 3),
  }
  await record(anna.call, asked, request)
  const path = `/api/team/requests/${anna.user}/${request}`
  const { digest } = (await ben.call('GET', path)).body
  expect((await ben.call('POST', `${path}/decision`, { json: { digest, outcome: 'approved' } })).body.state).toBe(
    'approved',
  )
})

test('[D28.4] a remark is on the sheet of a locked month, and only its person removes it', async () => {
  const { anna, ben, hera } = await startMonths()
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const json = { month: '2026-10', text: 'The 7th is missing' }
  const remark = (await anna.call('POST', '/api/me/remarks', { json })).body
  const seen = (await hera.call('GET', `/api/team/members/${anna.user}/months/2026-10`)).body
  expect(seen.remarks).toEqual([remark])
  expect((await hera.call('DELETE', `/api/me/remarks/${remark.id}`)).status).toBe(404)
  expect((await anna.call('DELETE', `/api/me/remarks/${remark.id}`)).status).toBe(204)
  expect(await trailOf(anna.call)).toEqual([
    ...['Anna month_submitted', 'Ben month_locked', 'Anna remark_added', 'Hera sheet_read', 'Anna remark_removed'],
  ])
})

test('[D29.1] [D29.2] [D29.5] the trail has old or submitted changes, one look an hour, no keystrokes', async () => {
  const { service, anna, hera } = await startMonths()
  await record(anna.call, work('2026-11-20'))
  await record(anna.call, { ...work('2026-11-14'), note: 'recent' })
  const old = await record(anna.call, { ...work('2026-11-13'), note: 'old' })
  const path = `/api/team/members/${anna.user}/months/2026-11`
  for (let looks = 0; looks < 3; looks += 1) await hera.call('GET', path)
  await hera.call('GET', path.replace('2026-11', '2026-10'))
  service.clock.advance(HOUR_MS)
  await hera.call('GET', path)
  await submit(anna.call, '2026-11')
  await record(anna.call, work('2026-11-18'))
  expect(await trailOf(anna.call)).toEqual([
    ...['Anna own_change', ...Array(3).fill('Hera sheet_read'), 'Anna month_submitted', 'Anna own_change'],
  ])
  const [row] = (await anna.call('GET', '/api/me/trail')).body.items
  expect(row.data).toMatchObject({ id: old, before: null, after: { started_at: '2026-11-13T08:00:00.000Z' } })
  for (const method of ['DELETE', 'PUT', 'POST', 'PATCH'] as const) {
    expect((await anna.call(method, '/api/me/trail', { json: {} })).status).toBe(405)
  }
})

test('[D29.4] [D29.5] [D29.6] [D29.7] a trail is a chain whose first break is named, and goes by itself', async () => {
  const { service, anna, ben, hera, run } = await startMonths()
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const page = (await anna.call('GET', '/api/me/trail')).body
  expect(page.last).toEqual({ number: 2, hash: page.items[1].hash })
  const old = Array.from({ length: 201 }, () => {
    const updated_at = timeOf(service)
    return { kind: 'entries', op: 'upsert', record: { id: newId(), ...work('2026-11-03', '08', '09'), updated_at } }
  })
  const look = () => hera.call('GET', `/api/team/members/${anna.user}/months/2026-10`)
  await look()
  await push(anna.call, old)
  await look()
  const exported = (await anna.call('GET', '/api/me/export')).body
  expect(exported.trail.slice(0, 2)).toMatchObject([
    { number: 1, previous: '' },
    { number: 2, previous: page.items[0].hash },
  ])
  expect(exported.trail).toHaveLength(2 + 1 + old.length)
  expect(exported.sheets).toMatchObject([{ month: '2026-10' }])
  expect(await trailOf(hera.call, `/api/team/members/${anna.user}/trail`)).toContain('Ben month_locked')
  expect((await ben.call('GET', `/api/team/members/${anna.user}/trail`)).status).toBe(404)
  const beside = async <T>(read: (stores: Stores) => Promise<T>): Promise<T> => {
    const stores = await service.openBeside()
    try {
      return await read(stores)
    } finally {
      await stores.close()
    }
  }
  const fault = () =>
    beside(({ records, driver }) =>
      new AccountTrails({ records, team: new TeamStore(driver), clock: service.clock }).verify(anna.user),
    )
  const rows = () => beside(({ records }) => records.read(anna.user, (reader) => reader.trailRows(0, 100)))
  expect(await fault()).toBeUndefined()
  const setActor = (user: number) =>
    run('UPDATE account_trail SET actor = $2 WHERE user_id = $1 AND number = 2', [anna.user, user])
  await setActor(anna.user)
  expect(await fault()).toEqual({ number: 2, why: 'changed' })
  await setActor(ben.user)
  service.clock.advance(38 * 31 * 24 * HOUR_MS)
  await service.service.runDueJobs()
  expect(await rows()).toEqual([])
  expect(await fault()).toBeUndefined()
})

test('[D25.7] [D27.17] [D30.2] the board has open points, and of the balance what the policy says', async () => {
  const { service, anna, ben, hera } = await startMonths()
  await record(anna.call, work('2026-11-19'))
  const vacation = { days_per_year: 24, carry_over_until: null }
  await anna.call('POST', '/api/settings', { json: { ...schedule, effective_from: '2026-11-21', vacation } })
  const dates = { date: '2026-12-14', last_date: '2026-12-15' }
  await record(anna.call, { kind: 'request', asks: 'absence', absence: 'vacation', ...dates })
  await submit(anna.call)
  await service.service.runDueJobs()
  const rowOf = async (call: Call, month: string) =>
    (await call('GET', `/api/team/board?month=${month}`)).body.items.find(
      ({ name }: { name: string }) => name === 'Anna',
    )
  expect(await rowOf(ben.call, '2026-10')).toMatchObject({ state: 'submitted', balance: 'red', waiting: 1 })
  const november = await rowOf(hera.call, '2026-11')
  // Two days of open weeks count too: 59 days were planned, and 9 hours worked.
  expect(november).toMatchObject({ state: 'open', balance: (9 - 59 * 8) * HOUR_MS, vacation_left: 2 })
  expect(november.without_entries).toContain('2026-11-20')
  expect(november.without_entries).not.toContain('2026-11-19')
  expect((await anna.call('GET', '/api/team/board')).status).toBe(403)
})

test('[D28.3] [D28.7] company leave takes planned days without absences, once, and ends if unchanged', async () => {
  const { anna, ben, hera } = await startMonths()
  await record(anna.call, { kind: 'sick', date: '2026-12-29', day_share: 1, amount_ms: null })
  const leave = { id: newId(), kind: 'vacation', from: '2026-12-26', to: '2026-12-31', users: [anna.user, ben.user, 7] }
  const act = async (call: Call, part = '') =>
    (await call('POST', `/api/team/leave${part}`, { json: leave })).body.items
  const [monday, wednesday, thursday] = ['2026-12-28', '2026-12-30', '2026-12-31']
  const expected = [
    { user_id: anna.user, dates: [monday, wednesday, thursday], left_out: ['2026-12-29'] },
    { user_id: ben.user, dates: [], left_out: [] },
    { user_id: 7, dates: [], left_out: [], refusal: 'not_allowed', detail: expect.stringContaining('nobody') },
  ]
  expect(await act(hera.call, '/preview')).toEqual(expected)
  const absences = async () =>
    (await anna.call('GET', '/api/entries?from=2026-12-01&to=2026-12-31')).body.items
      .filter(({ kind }: { kind: string }) => kind === 'vacation')
      .map(({ date }: { date: string }) => date)
  expect(await absences()).toEqual([])
  expect((await ben.call('POST', '/api/team/leave', { json: leave })).status).toBe(403)
  expect((await ben.call('GET', '/api/team/leave')).status).toBe(403)
  // In parts, whose length nobody knows beforehand (D1.36).
  expect((await hera.call('GET', '/api/team/leave')).headers.has('content-length')).toBe(false)
  const listed = async () => (await hera.call('GET', '/api/team/leave')).body.items
  expect(await listed()).toEqual([])
  expect(await act(hera.call)).toEqual(expected)
  const { users: _users, ...content } = leave
  const users = [anna.user, ben.user]
  expect(await listed()).toMatchObject([{ ...content, users, by: { name: 'Hera' } }])
  expect(await act(hera.call)).toEqual(expected)
  expect(await absences()).toEqual([monday, wednesday, thursday])
  expect((await anna.call('GET', '/api/me/trail')).body.items[0].data.leave).toBe(leave.id)
  const { items } = (await anna.call('GET', '/api/entries?from=2026-12-30&to=2026-12-31')).body
  const idOn = (day: string) => items.find(({ date }: { date: string }) => date === day).id
  const half = { kind: 'vacation', date: wednesday, day_share: 0.5, source: 'company_leave' }
  await anna.call('PUT', `/api/entries/${idOn(wednesday)}`, { json: half })
  await anna.call('DELETE', `/api/entries/${idOn(thursday)}`)
  // Of days that only a part of it names, the list would no longer know.
  const part = await hera.call('POST', '/api/team/leave/removal', { json: { ...leave, from: wednesday } })
  expect([part.status, part.body.code]).toEqual([409, 'conflict'])
  for (const part of ['', '/removal']) {
    const [ofAnna] = await act(hera.call, part)
    expect(ofAnna).toMatchObject({ dates: [monday], left_out: ['2026-12-29', wednesday, thursday] })
  }
  expect(await absences()).toEqual([wednesday])
  expect(await listed()).toEqual([])
  const { items: noted } = (await hera.call('GET', '/api/team/trail')).body
  expect(noted.map(({ kind }: { kind: string }) => kind)).toEqual(['leave_removed', 'leave_written'])
})
