import { isSheetIntact, LAST_DATE } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { readFixture } from '../../../core/test/fixtures.ts'
import { startTestService } from '../harness.ts'
import { newId, push, timeOf } from '../http/resources.ts'
import { act, type Call, HOUR_MS, record, schedule, startMonths, submit, work } from './month-company.ts'

const monthsOf = async (call: Call) =>
  Object.fromEntries(
    (await call('GET', '/api/me/months')).body.items.map((row: { month: string; state: string }) => [
      row.month,
      row.state,
    ]),
  )

test('[D27.1] [D27.3] [D27.16] a submitted month is locked with its sheet, which adds up', async () => {
  const { company, anna, ben, hera, run, setRules } = await startMonths()
  await record(anna.call, work('2026-09-30'))
  await record(anna.call, work('2026-10-05'))
  await record(anna.call, { kind: 'vacation', date: '2026-10-06', day_share: 0.5, amount_ms: null })
  await anna.call('POST', '/api/balance/adjustments', {
    json: { effective_date: '2026-10-31', delta_ms: -HOUR_MS, kind: 'payout', reason: 'Paid' },
  })
  expect(await act(ben.call, 'lock', anna.user)).toMatchObject({
    outcome: 'rejected',
    detail: expect.stringContaining('not submitted'),
  })
  expect((await submit(anna.call)).status).toBe(204)
  expect(await act(ben.call, 'return', anna.user, ' ')).toBe(undefined)
  expect(await monthsOf(anna.call)).toEqual({ '2026-11': 'open', '2026-10': 'submitted', '2026-09': 'open' })
  expect(await act(ben.call, 'lock', anna.user)).toEqual({ user_id: anna.user, outcome: 'changed' })
  expect(await act(ben.call, 'lock', anna.user)).toEqual({ user_id: anna.user, outcome: 'unchanged' })
  const own = (await anna.call('GET', '/api/me/months/2026-10')).body
  expect(own).toMatchObject({
    state: 'locked',
    is_stored: true,
    changed_by: { name: 'Ben' },
    check_code: own.sheet.check_code,
  })
  expect(isSheetIntact(own.sheet)).toBe(true)
  const september = (9 - 22 * 8) * HOUR_MS
  const october = (9 - 22 * 8 + 4) * HOUR_MS
  expect(own.sheet).toMatchObject({
    balance_in_ms: september,
    balance_out_ms: september + october - HOUR_MS,
    totals: { worked_ms: 9 * HOUR_MS, target_ms: (22 * 8 - 4) * HOUR_MS, delta_ms: october, adjustments_ms: -HOUR_MS },
    absences: [{ kind: 'vacation', days: 0.5, ms: 4 * HOUR_MS }],
  })
  expect(own.sheet.days).toHaveLength(31)
  const closed = (await anna.call('GET', '/api/closed-days')).body.items
  const versions = closed.map(({ version }: { version: number }) => version)
  expect(own.sheet.version).toBeGreaterThanOrEqual(Math.max(...versions))
  const days = (await anna.call('GET', '/api/account/days?from=2026-10-01&to=2026-10-31')).body.items
  expect(days.every(({ state }: { state: string }) => state === 'closed')).toBe(true)
  expect((await hera.call('GET', `/api/team/members/${anna.user}/months/2026-10`)).body.sheet).toEqual(own.sheet)
  expect((await ben.call('GET', `/api/team/members/${anna.user}/months/2026-10`)).status).toBe(404)
  // Whoever has left submits a month of their membership.
  const until = '2026-09-20' as const
  await run('UPDATE memberships SET until_date = $2 WHERE user_id = $1', [anna.user, until])
  await setRules(anna.user, { company: company.id, dates: [{ from: '2026-09-01', to: until }], versions: [] })
  expect((await submit(anna.call, '2026-09')).status).toBe(204)
  expect(await act(ben.call, 'lock', anna.user, null, '2026-09')).toMatchObject({ outcome: 'changed' })
  expect((await anna.call('GET', '/api/me/months/2026-09')).body.sheet.days).toHaveLength(20)
})

test('[D27.12] [D27.16] a sheet has an opening balance of its month from before the account began', async () => {
  const { company, anna, hera, setRules } = await startMonths({ lock_unsubmitted: true })
  await setRules(anna.user, null)
  const { items } = (await anna.call('GET', '/api/settings')).body
  const later = { ...schedule, effective_from: '2026-09-15' }
  expect((await anna.call('PUT', `/api/settings/${items[0].id}`, { json: later })).status).toBe(200)
  const opening = { effective_date: '2026-09-02', delta_ms: HOUR_MS, kind: 'opening', reason: 'From the old system' }
  await anna.call('POST', '/api/balance/adjustments', { json: opening })
  await setRules(anna.user, { company: company.id, dates: [{ from: '2026-09-01', to: LAST_DATE }], versions: [] })
  for (const month of ['2026-09', '2026-10']) await act(hera.call, 'lock', anna.user, null, month)
  const sheetOf = async (month: string) => (await anna.call('GET', `/api/me/months/${month}`)).body.sheet
  const [september, october] = [await sheetOf('2026-09'), await sheetOf('2026-10')]
  expect(september).toMatchObject({ balance_in_ms: 0, totals: { adjustments_ms: HOUR_MS } })
  expect(october.balance_in_ms).toBe(september.balance_out_ms)
  const rows = (await anna.call('GET', '/api/me/months')).body.items
  expect(rows.filter((row: { carried_differs: boolean }) => row.carried_differs)).toEqual([])
})

test('[D27.4] [D27.5] [D27.15] a change that touches a locked month is rejected, and no repeat', async () => {
  const { service, anna, ben } = await startMonths()
  const at = timeOf(service)
  const later = timeOf(service, 1_000)
  const stored = { kind: 'entries', op: 'upsert', record: { id: newId(), ...work('2026-10-05'), updated_at: at } }
  expect((await push(anna.call, [stored]))[0].status).toBe('applied')
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const results = async (...changes: object[]) =>
    (await push(anna.call, changes)).map((one: { status: string; problem?: { code: string } }) =>
      one.status === 'rejected' ? one.problem?.code : one.status,
    )
  const earlier = { ...stored.record, note: 'earlier', updated_at: '2026-01-01T00:00:00.000Z' }
  expect(await results(stored, { ...stored, record: earlier })).toEqual(['unchanged', 'superseded'])
  const { cases } = readFixture<{
    cases: { why: string; kind: string; before?: object; content: object | null; result: string }[]
  }>('team-locks')
  for (const { why, kind, before, content, result } of cases) {
    if (before) continue
    const change = { kind, op: 'upsert', record: { id: newId(), ...content, updated_at: at } }
    expect(await results(change), why).toEqual([result])
    // Each case has the same settings before it.
    const undone = { kind, op: 'delete', id: change.record.id, updated_at: later }
    if (kind === 'settings_history' && result === 'applied') expect(await results(undone)).toEqual(['applied'])
  }
  const late = await anna.call('PUT', `/api/entries/${stored.record.id}`, { json: work('2026-11-04') })
  expect([late.status, late.body.code]).toEqual([409, 'locked'])
})

test('[D27.7] no job and no closing changes a day of a locked month, and its weeks stay closed', async () => {
  const { service, anna, ben } = await startMonths()
  await record(anna.call, work('2026-10-29'))
  await record(anna.call, work('2026-11-01', '00', '02'))
  // Its holidays come too late.
  const holidays = { country: 'AT' }
  await anna.call('POST', '/api/settings', { json: { ...schedule, effective_from: '2026-10-26', holidays } })
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const days = async () => (await anna.call('GET', '/api/account/days?from=2026-10-01&to=2026-10-31')).body.items
  const before = await days()
  expect((await anna.call('POST', '/api/closed-weeks', { json: { week: '2026-W44' } })).status).toBe(201)
  expect((await anna.call('DELETE', '/api/closed-weeks/2026-W44')).body.code).toBe('conflict')
  expect((await anna.call('DELETE', '/api/closed-days/2026-10-05')).body.code).toBe('conflict')
  // The zone of November decides where October ends, and holidays of the whole year are asked for.
  await anna.call('POST', '/api/settings', {
    json: {
      ...schedule,
      effective_from: '2026-11-01',
      time_zone: 'America/New_York',
      holidays: { country: 'DE', state: 'BY' },
    },
  })
  await service.service.runDueJobs()
  expect(await days()).toEqual(before)
  expect((await anna.call('GET', '/api/entries?from=2026-10-26&to=2026-10-26')).body.items).toEqual([])
})

test('[D27.2] a month that has not ended, is computed anew or has an entry that runs cannot be locked', async () => {
  const { anna, ben, run } = await startMonths()
  await submit(anna.call, '2026-11')
  expect(await act(ben.call, 'lock', anna.user, null, '2026-11')).toMatchObject({
    detail: '2026-11 has not ended yet.',
    refusal: 'not_ended',
  })
  await submit(anna.call)
  const task = { kind: 'recompute', ranges: [{ from: '2026-09-01', to: '2026-10-01' }], causes: [] }
  const job = [anna.user, Number.MAX_SAFE_INTEGER, JSON.stringify(task)]
  await run(`INSERT INTO jobs (user_id, id, due_ms, task) VALUES ($1, 'recompute', $2, $3)`, job)
  expect(await act(ben.call, 'lock', anna.user)).toMatchObject({ refusal: 'recomputing' })
  await record(anna.call, { ...work('2026-10-31'), ended_at: null })
  expect(await act(ben.call, 'lock', anna.user)).toMatchObject({ refusal: 'entry_runs' })
  expect((await submit(anna.call, '2027-01')).status).toBe(409)
})

test('[D27.11] [D27.12] [D27.13] HR reopens with a reason, which marks later sheets, and once', async () => {
  const { service, anna, ben, hera } = await startMonths({ lock_unsubmitted: true, hr_changes: 'apply' })
  service.clock.advance(10 * 24 * HOUR_MS)
  for (const month of ['2026-09', '2026-10', '2026-11']) {
    expect(await act(ben.call, 'lock', anna.user, null, month)).toMatchObject({ outcome: 'rejected' })
    const many = { users: [7, anna.user], reason: null }
    const { items } = (await hera.call('POST', `/api/team/months/${month}/lock`, { json: many })).body
    expect(items).toMatchObject([
      { user_id: 7, outcome: 'rejected' },
      { user_id: anna.user, outcome: 'changed' },
    ])
  }
  const reopen = (call: Call, reason: string) => act(call, 'reopen', anna.user, reason, '2026-09')
  expect(await reopen(hera.call, 'too short')).toBe(undefined)
  expect(await reopen(ben.call, 'A day was forgotten')).toMatchObject({ outcome: 'rejected' })
  expect(await reopen(hera.call, 'A day was forgotten')).toEqual({ user_id: anna.user, outcome: 'changed' })
  expect(await reopen(hera.call, 'A day was forgotten')).toEqual({ user_id: anna.user, outcome: 'unchanged' })
  await record(anna.call, work('2026-09-07'))
  const rows = (await anna.call('GET', '/api/me/months')).body.items
  expect(rows).toMatchObject([
    { month: '2026-12', state: 'open', carried_differs: false },
    { month: '2026-11', state: 'locked', carried_differs: true },
    { month: '2026-10', state: 'locked', carried_differs: true },
    { month: '2026-09', state: 'open', reason: 'A day was forgotten', carried_differs: false },
  ])
  // A change over several locked months leaves them open.
  const times = { ...work('2026-10-31', '20'), ended_at: '2026-11-01T06:00:00.000Z', updated_at: timeOf(service) }
  const changes = [{ kind: 'entries', op: 'upsert', record: { id: newId(), ...times } }]
  const json = { id: newId(), reason: 'A night was forgotten', changes, apply: true }
  expect((await hera.call('POST', `/api/team/members/${anna.user}/changes`, { json })).status).toBe(200)
  expect(Object.values(await monthsOf(anna.call))).toEqual(Array(4).fill('open'))
})

test('[D27.10] [D27.11] an approved correction changes a locked month, which is locked again', async () => {
  const { service, anna, ben } = await startMonths()
  const id = await record(anna.call, work('2026-10-05'))
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const first = (await anna.call('GET', '/api/me/months/2026-10')).body.sheet
  // The record has changed since, so that the approver has to confirm.
  const change = {
    kind: 'entries',
    op: 'upsert',
    record: { id, ...work('2026-10-05', '08', '18'), updated_at: timeOf(service, -1_000) },
  }
  const request = newId()
  const asked = { kind: 'request', asks: 'change', date: '2026-10-05', last_date: '2026-10-05', changes: [change] }
  await record(anna.call, asked, request)
  await service.service.runDueJobs()
  const path = `/api/team/requests/${anna.user}/${request}`
  const shown = (await ben.call('GET', path)).body
  expect(shown.present).toMatchObject([{ ended_at: '2026-10-05T17:00:00.000Z' }])
  const approve = (overwrite: boolean) =>
    ben.call('POST', `${path}/decision`, { json: { digest: shown.digest, outcome: 'approved', overwrite } })
  expect((await approve(false)).status).toBe(409)
  expect((await approve(true)).body.state).toBe('approved')
  const second = (await anna.call('GET', '/api/me/months/2026-10')).body
  expect(second).toMatchObject({ state: 'locked', is_stored: true })
  expect(second.sheet.totals.worked_ms - first.totals.worked_ms).toBe(HOUR_MS)
  expect(second.sheet.check_code).not.toBe(first.check_code)
  const { items } = (await anna.call('GET', '/api/me/trail')).body
  const reopened = items.find(({ kind }: { kind: string }) => kind === 'month_reopened')
  expect(reopened.data).toEqual({ month: '2026-10', request })
  expect(items.map(({ kind }: { kind: string }) => kind)).toContain('request_decided')
})

test('[D27.20] the month is locked that was read or submitted, and no other', async () => {
  const { anna, ben, hera } = await startMonths({ lead_days: 'figures', lead_balance: 'none' })
  const [early] = [await record(anna.call, work('2026-09-30')), await record(anna.call, work('2026-10-05'))]
  await submit(anna.call)
  const digestFor = async ({ call }: { call: Call }) =>
    (await call('GET', `/api/team/members/${anna.user}/months/2026-10`)).body.digest
  const lock = async ({ call }: { call: Call }, digest?: string) => {
    const digests = digest === undefined ? [] : [{ user_id: anna.user, digest }]
    const { body } = await call('POST', '/api/team/months/2026-10/lock', { json: { users: [anna.user], digests } })
    return body.items[0].outcome === 'rejected' ? `not: ${body.items[0].refusal}` : body.items[0].outcome
  }
  const stale = [await digestFor(ben), await digestFor(hera)]
  expect(stale[0]).not.toBe(stale[1])
  const added = await record(anna.call, work('2026-10-06'))
  for (const [index, person] of [ben, hera].entries()) {
    expect([await lock(person), await lock(person, stale[index])]).toEqual(['not: changed', 'not: changed'])
  }
  expect((await anna.call('GET', '/api/account/days?from=2026-10-05&to=2026-10-05')).body.items[0].state).toBe('open')

  // Balances, which Ben does not see, and records of other dates leave his digest as it is.
  const seen = await digestFor(ben)
  await anna.call('DELETE', `/api/entries/${early}`)
  await record(anna.call, work('2026-11-02'))
  expect(await digestFor(ben)).toBe(seen)
  expect(await lock(hera, seen)).toBe('not: changed')
  expect(await lock(ben, seen)).toBe('changed')
  expect(await digestFor(ben)).toBe(null)

  await act(hera.call, 'reopen', anna.user, 'A day was entered twice')
  await submit(anna.call)
  await anna.call('DELETE', `/api/entries/${added}`)
  expect(await lock(ben)).toBe('not: changed')
  await act(ben.call, 'return', anna.user, 'Submit it again')
  await submit(anna.call)
  // The balances of what was submitted are of other months.
  await record(anna.call, work('2026-09-29'))
  expect(await lock(ben)).toBe('changed')
})

test('[D26.15] settings that count before their request or in locked months need a confirmation', async () => {
  const { service, anna, ben } = await startMonths()
  const [row] = (await anna.call('GET', '/api/settings')).body.items
  const decide = async (dates: object, settings: object[], overwrite = false) => {
    const changes = settings.map((change) => ({ kind: 'settings_history', op: 'upsert', ...change }))
    const id = await record(anna.call, { kind: 'request', asks: 'change', ...dates, changes })
    await service.service.runDueJobs()
    const path = `/api/team/requests/${anna.user}/${id}`
    const { digest } = (await ben.call('GET', path)).body
    const decideWith = (confirmed: boolean) =>
      ben.call('POST', `${path}/decision`, { json: { digest, outcome: 'approved', overwrite: confirmed } })
    const { status, body } = await decideWith(false)
    if (overwrite) expect((await decideWith(true)).body.state).toBe('approved')
    return status === 200 ? body.state : body.detail
  }
  const on = (date: string, last_date = date) => ({ date, last_date })
  const upsert = (more: object) => {
    return { record: { id: newId(), ...schedule, updated_at: timeOf(service, 1_000), ...more } }
  }
  const shorter = { id: row.id, target_ms: [4, 4, 4, 4, 4, 0, 0].map((hours) => hours * HOUR_MS) }
  const beside = expect.stringContaining('dates beside those')
  expect(await decide(on('2026-12-01'), [upsert(shorter)])).toEqual(beside)
  expect(await decide(on('2026-12-01'), [upsert({ effective_from: '2027-01-01' })])).toEqual(beside)
  expect(await decide(on('2026-12-01'), [upsert({ effective_from: '2026-12-01' })])).toBe('approved')

  const last = 'ffffffff-ffff-4fff-8fff-ffffffffffff'
  await anna.call('POST', '/api/settings', { json: { ...schedule, id: last, effective_from: '2026-11-01' } })
  await record(anna.call, work('2026-10-31', '11', '21'))
  await submit(anna.call)
  await act(ben.call, 'lock', anna.user)
  const locked = expect.stringContaining('changes locked months, 2026-10 to 2026-10')
  expect(await decide(on('2026-09-01'), [upsert(shorter)])).toEqual(locked)
  // The row that the first change deletes hides the second one, which moves the end of October.
  const hidden = upsert({ id: '00000000-0000-4000-8000-000000000000', effective_from: '2026-11-01' })
  const moving = { record: { ...hidden.record, time_zone: 'Pacific/Kiritimati' } }
  const deletion = { op: 'delete', id: last, updated_at: timeOf(service, 1_000) }
  expect(await decide(on('2026-10-31', '2026-11-01'), [deletion, moving], true)).toEqual(locked)
  const { sheet, state } = (await anna.call('GET', '/api/me/months/2026-10')).body
  expect([state, sheet.totals.worked_ms]).toEqual(['locked', 0])
})

test('[D25.7] a lead sees of a sheet what the policy says: no times, no balances, no kinds', async () => {
  const { anna, ben } = await startMonths({ lead_days: 'figures', lead_balance: 'none' })
  await record(anna.call, work('2026-10-05'))
  await record(anna.call, { kind: 'sick', date: '2026-10-06', day_share: 1, amount_ms: null })
  const seen = (await ben.call('GET', `/api/team/members/${anna.user}/months/2026-10`)).body
  const delta = (9 + 8 - 22 * 8) * HOUR_MS
  expect(seen).toMatchObject({ shows_balance: false, sheet: { balance_in_ms: 0, balance_out_ms: delta, absences: [] } })
  expect(
    seen.sheet.days.every(
      ({ blocks, absences }: { blocks: []; absences: [] }) => blocks.length + absences.length === 0,
    ),
  ).toBe(true)
  expect(JSON.stringify(seen)).not.toContain('sick')
})

test('[D24.3] [D27.6] [D27.16] a sheet of the month of joining has no day before it, but its balance', async () => {
  const { anna, ben, hera, company, setRules, run } = await startMonths({ lock_unsubmitted: true })
  await record(anna.call, work('2026-10-05'))
  await record(anna.call, work('2026-10-20'))
  await run(`UPDATE memberships SET from_date = '2026-10-15', accepted_on = '2026-10-15' WHERE user_id = $1`, [
    anna.user,
  ])
  const rules = { company: company.id, dates: [{ from: '2026-10-15' as const, to: LAST_DATE }], versions: [] }
  await setRules(anna.user, rules)
  expect((await submit(anna.call, '2026-09')).status).toBe(404)
  expect(await act(hera.call, 'lock', anna.user)).toMatchObject({ outcome: 'changed' })
  const path = `/api/team/members/${anna.user}/months/2026-10`
  const { sheet, carried_differs } = (await hera.call('GET', path)).body
  expect([sheet.days[0].date, sheet.days.length, carried_differs]).toEqual(['2026-10-15', 17, false])
  const days = (await anna.call('GET', '/api/account/days?from=2026-10-01&to=2026-10-31')).body.items
  expect(days.every(({ state }: { state: string }) => state === 'closed')).toBe(true)
  expect(sheet).toMatchObject({
    balance_in_ms: (9 - (22 + 10) * 8) * HOUR_MS,
    totals: { worked_ms: 9 * HOUR_MS },
    balance_out_ms: (18 - (22 + 22) * 8) * HOUR_MS,
  })
  expect((await ben.call('GET', path)).status).toBe(404)
})

test('[D6.22] a member whose storage is full submits no month and adds no remark, so that the trail ends', async () => {
  const running = await startTestService({ config: { quotaBytes: 10_000 } })
  onTestFinished(() => running.close())
  const { anna } = await startMonths({}, running)
  const statuses: number[] = []
  for (let round = 0; round < 15; round += 1) {
    statuses.push((await submit(anna.call)).status)
    await anna.call('DELETE', '/api/me/months/2026-10/submission')
  }
  expect([statuses.at(0), statuses.at(-1)]).toEqual([204, 507])
  const remark = await anna.call('POST', '/api/me/remarks', { json: { month: '2026-10', text: 'More' } })
  expect([remark.status, remark.body.code]).toEqual([507, 'quota_exceeded'])
})
