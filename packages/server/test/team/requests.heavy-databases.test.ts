import {
  addDays,
  approvedEntryId,
  type CompanyPolicy,
  defaultPolicy,
  LAST_DATE,
  type RecordId,
  type UserNumber,
} from '@saldo/core'
import { expect, test } from 'vitest'
import type { TestService } from '../harness.ts'
import { newId, push, timeOf } from '../http/resources.ts'
import { startCompany } from './company.ts'

type Call = TestService['call']

const HOUR_MS = 3_600_000
const schedule = {
  effective_from: '2026-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
  vacation: { days_per_year: 30, carry_over_until: null },
}
const asked = { kind: 'request', asks: 'absence', absence: 'vacation', date: '2026-12-03', last_date: '2026-12-08' }
const OPEN = '2026-12-01/2026-12-31'

/** A company with a group, its member Anna, its lead Ben, and Hera of HR. */
async function start(policy: Partial<CompanyPolicy> = {}) {
  const made = await startCompany()
  const { service, group, member, role, run } = made
  const company = await group('Firma')
  const team = await group('Team', company)
  await run(
    `INSERT INTO team_policies (company_id, number, from_date, policy, created_at) VALUES ($1, 1, '2026-01-01', $2, $3)`,
    [company.id, JSON.stringify({ ...defaultPolicy, ...policy }), timeOf(service)],
  )
  const anna = await member('Anna', team)
  const ben = await member('Ben', team)
  const hera = await member('Hera', company)
  await role(ben.user, 'lead', team.id)
  await role(hera.user, 'hr', company.id)
  await made.setRules(anna.user, {
    company: company.id,
    dates: [{ from: '2026-01-01', to: LAST_DATE }],
    versions: [{ from: '2026-01-01', ask: ['vacation'], cancelAhead: [], managed: [] }],
  })
  await anna.call('POST', '/api/settings', { json: schedule })
  await service.service.runDueJobs()
  const setPolicy = (changed: Partial<CompanyPolicy>) =>
    run('UPDATE team_policies SET policy = $2 WHERE company_id = $1', [
      company.id,
      JSON.stringify({ ...defaultPolicy, ...changed }),
    ])
  return { ...made, company, team, anna, ben, hera, setPolicy }
}

async function ask(call: Call, content: object = asked, id = newId()): Promise<string> {
  const { status, text } = await call('POST', '/api/entries', { json: { id, ...content } })
  if (status !== 201) throw new Error(text)
  return id
}

const own = async (call: Call, id: string) =>
  (await call('GET', '/api/team/requests/mine')).body.items.find((one: { id: string }) => one.id === id)
const pathOf = (user: UserNumber, id: string) => `/api/team/requests/${user}/${id}`
const digestOf = async (call: Call, id: string) => (await own(call, id)).digest
const decide = (call: Call, user: UserNumber, id: string, digest: string, outcome = 'approved', reason?: string) =>
  call('POST', `${pathOf(user, id)}/decision`, { json: { digest, outcome, reason } })
const entriesOf = async (call: Call, range = OPEN) => {
  const [from, to] = range.split('/')
  const { items } = (await call('GET', `/api/entries?from=${from}&to=${to}`)).body
  return items.filter(({ kind }: { kind: string }) => kind !== 'request')
}
const datesOf = async (call: Call, range?: string) =>
  (await entriesOf(call, range)).map(({ date, kind }: { date: string; kind: string }) => `${date} ${kind}`)
const inboxOf = async (call: Call) => (await call('GET', '/api/team/inbox')).body.items

test('[D26.6] [D26.15] approving writes the planned days of the range once, and devices pull them', async () => {
  const { service, anna, ben } = await start()
  const id = await ask(anna.call)
  await service.service.runDueJobs()
  expect(await inboxOf(ben.call)).toMatchObject([{ request_id: id, absence: 'vacation', from: '2026-12-03', stage: 1 }])
  const { body: shown } = await ben.call('GET', pathOf(anna.user, id))
  expect(shown).toMatchObject({ context: { days: 4, vacation: { left: 30, asked: 4, left_if_approved: 26 } } })
  const { version } = (await anna.call('GET', '/api/sync/pull')).body
  const approved = await decide(ben.call, anna.user, id, shown.digest)
  expect(approved.body).toMatchObject({ state: 'approved', decisions: [{ stage: 1, by: { name: 'Ben' }, own: false }] })
  expect(await datesOf(anna.call)).toEqual([
    '2026-12-03 vacation',
    '2026-12-04 vacation',
    '2026-12-07 vacation',
    '2026-12-08 vacation',
  ])
  const pulled = (await anna.call('GET', `/api/sync/pull?since=${version}`)).body
  expect(pulled.version).toBe(version + 4)
  expect(pulled.changes.entries.every((one: { source: string }) => one.source === 'request')).toBe(true)
  expect((await decide(ben.call, anna.user, id, shown.digest)).body.state).toBe('approved')
  expect((await anna.call('GET', '/api/sync/pull')).body.version).toBe(version + 4)
  expect(await own(anna.call, id)).toMatchObject({ state: 'approved', deciders: [] })
  expect(await inboxOf(ben.call)).toEqual([])
})

test('[D26.2] [D26.3] [D26.10] a request and its decline change no figure, and a decision is in no pull', async () => {
  const { anna, ben } = await start()
  const figures = async () => {
    const days = (await anna.call('GET', '/api/account/days?from=2026-11-01&to=2026-12-31')).text
    const balance = (await anna.call('GET', '/api/balance')).body
    const { left, taken, planned } = (await anna.call('GET', '/api/account/vacation?year=2026')).body.vacation
    return { days, balance: balance.balance_ms, left, taken, planned }
  }
  const before = await figures()
  const askedFor = async () => (await anna.call('GET', '/api/account/vacation?year=2026')).body.asked
  expect(await askedFor()).toBe(null)
  const id = await ask(anna.call)
  expect(await figures()).toEqual(before)
  expect(await askedFor()).toEqual({ asked: 4, left_if_approved: 26 })
  const { version } = (await anna.call('GET', '/api/sync/pull')).body
  const digest = await digestOf(anna.call, id)
  expect((await decide(ben.call, anna.user, id, digest, 'declined')).body.errors).toMatchObject([
    { pointer: '/reason' },
  ])
  expect((await decide(ben.call, anna.user, id, digest, 'declined', 'Too many are away')).status).toBe(200)
  expect(await own(anna.call, id)).toMatchObject({ state: 'declined', decisions: [{ reason: 'Too many are away' }] })
  expect(await figures()).toEqual(before)
  expect(await askedFor()).toBe(null)
  expect((await anna.call('GET', '/api/sync/pull')).body.version).toBe(version)
})

test('[D25.11] [D26.4] [D26.5] changed content waits again, and what was approved stays meanwhile', async () => {
  const { service, anna, ben, hera } = await start()
  const id = await ask(anna.call)
  const first = await digestOf(anna.call, id)
  await anna.call('PUT', `/api/entries/${id}`, { json: { ...asked, note: 'please' } })
  expect(await digestOf(anna.call, id)).toBe(first)
  const seen = (await ben.call('GET', `/api/team/requests/${anna.user}/${id}`)).body
  expect([seen.absence, seen.request.note]).toEqual(['vacation', 'please'])
  await decide(ben.call, anna.user, id, first)
  await anna.call('PUT', `/api/entries/${id}`, { json: { ...asked, date: '2026-12-07', last_date: '2026-12-09' } })
  expect(await own(anna.call, id)).toMatchObject({ state: 'waiting', deciders: [{ name: 'Ben' }] })
  expect((await decide(ben.call, anna.user, id, first, 'declined', 'no')).status).toBe(412)
  expect(await datesOf(anna.call)).toHaveLength(4)
  expect((await decide(hera.call, anna.user, id, await digestOf(anna.call, id))).status).toBe(403)
  await decide(ben.call, anna.user, id, await digestOf(anna.call, id))
  expect(await datesOf(anna.call)).toEqual(['2026-12-07 vacation', '2026-12-08 vacation', '2026-12-09 vacation'])
  // Whoever changes it back asks again too.
  await anna.call('PUT', `/api/entries/${id}`, { json: asked })
  expect(await own(anna.call, id)).toMatchObject({ state: 'waiting', digest: first })
  await service.service.runDueJobs()
  expect(await inboxOf(ben.call)).toMatchObject([{ request_id: id }])
  expect(await datesOf(anna.call)).toHaveLength(3)
  expect((await decide(ben.call, anna.user, id, first)).body.state).toBe('approved')
  expect((await datesOf(anna.call)).at(0)).toBe('2026-12-03 vacation')
})

test('[D26.4] of two decisions at once, the first stands and the second names it', async () => {
  const { anna, ben, team, member, role } = await start()
  const cleo = await member('Cleo', team)
  await role(cleo.user, 'lead', team.id)
  const id = await ask(anna.call)
  const digest = await digestOf(anna.call, id)
  const answers = await Promise.all([
    decide(ben.call, anna.user, id, digest),
    decide(cleo.call, anna.user, id, digest, 'declined', 'No'),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  const isApproved = answers[0].status === 200
  const second = answers.find(({ status }) => status === 409)
  expect(second?.body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining(isApproved ? 'Ben has approved' : 'Cleo has declined'),
  })
  expect(await datesOf(anna.call)).toHaveLength(isApproved ? 4 : 0)
})

test('[D26.2] a deleted request is withdrawn, and deleting one after its approval changes nothing', async () => {
  const { service, anna, ben } = await start()
  const [withdrawn, approved] = [await ask(anna.call), await ask(anna.call)]
  const digests = [await digestOf(anna.call, withdrawn), await digestOf(anna.call, approved)]
  await service.service.runDueJobs()
  await anna.call('DELETE', `/api/entries/${withdrawn}`)
  expect((await decide(ben.call, anna.user, withdrawn, digests[0] ?? '')).body).toMatchObject({
    code: 'conflict',
    detail: expect.stringContaining('withdrawn'),
  })
  await decide(ben.call, anna.user, approved, digests[1] ?? '')
  await anna.call('DELETE', `/api/entries/${approved}`)
  expect(await datesOf(anna.call)).toHaveLength(4)
  await service.service.runDueJobs()
  expect(await inboxOf(ben.call)).toEqual([])
})

test('[D26.6] whatever is stored under a derived id, the approval comes later', async () => {
  const { service, anna, ben } = await start()
  const id = await ask(anna.call)
  const taken = approvedEntryId(anna.user, id as RecordId, '2026-12-04')
  const work = { kind: 'work', started_at: '2026-12-15T08:00:00.000Z', ended_at: '2026-12-15T09:00:00.000Z' }
  const ahead = timeOf(service, 30_000)
  await push(anna.call, [{ kind: 'entries', op: 'upsert', record: { ...work, id: taken, updated_at: ahead } }])
  await decide(ben.call, anna.user, id, await digestOf(anna.call, id))
  expect(await datesOf(anna.call)).toHaveLength(4)
  const { body } = await anna.call('GET', `/api/entries/${taken}`)
  expect(body).toMatchObject({ kind: 'vacation', date: '2026-12-04', updated_at: timeOf(service, 30_001) })
})

test('[D26.7] nobody decides an own request, by approving or declining, nor after moving between groups', async () => {
  const { anna, ben, hera, company, run } = await start()
  const id = await ask(ben.call)
  const digest = await digestOf(ben.call, id)
  for (const outcome of ['approved', 'declined']) {
    expect((await decide(ben.call, ben.user, id, digest, outcome, 'me')).body.code).toBe('forbidden')
  }
  expect((await ben.call('GET', pathOf(ben.user, id))).status).toBe(403)
  expect(await own(ben.call, id)).toMatchObject({ deciders: [{ name: 'Hera' }] })
  // In another group, a lead of it is still nobody's own decider.
  await run('UPDATE memberships SET group_id = $2 WHERE user_id = $1', [ben.user, company.id])
  expect((await decide(ben.call, ben.user, id, digest)).body.code).toBe('forbidden')
  expect((await decide(anna.call, ben.user, id, digest)).body.code).toBe('not_found')
  expect((await decide(hera.call, ben.user, id, digest)).body.state).toBe('approved')
})

test('[D26.7] the only HR decides an own request where the policy says so, which is marked', async () => {
  const { hera, setPolicy } = await start()
  const id = await ask(hera.call)
  const digest = await digestOf(hera.call, id)
  expect((await decide(hera.call, hera.user, id, digest)).status).toBe(403)
  await setPolicy({ sole_hr_decides: true })
  expect((await decide(hera.call, hera.user, id, digest)).body.decisions).toMatchObject([{ own: true }])
})

test('[D26.8] [D26.17] with a second stage, the approval of a lead writes nothing until HR confirms it', async () => {
  const { service, anna, ben, hera } = await start({ second_stage: ['vacation'] })
  const id = await ask(anna.call)
  const digest = await digestOf(anna.call, id)
  expect((await decide(hera.call, anna.user, id, digest)).status).toBe(403)
  expect((await decide(ben.call, anna.user, id, digest)).body.state).toBe('waiting_for_hr')
  expect(await datesOf(anna.call)).toEqual([])
  await service.service.runDueJobs()
  expect(await inboxOf(ben.call)).toEqual([])
  expect(await inboxOf(hera.call)).toMatchObject([{ request_id: id, stage: 2 }])
  expect((await decide(hera.call, anna.user, id, digest)).body.state).toBe('approved')
  expect(await datesOf(anna.call)).toHaveLength(4)
  // Of the lead, who has none, HR decides alone.
  const ofLead = await ask(ben.call)
  expect((await decide(hera.call, ben.user, ofLead, await digestOf(ben.call, ofLead))).body.state).toBe('approved')
})

test('[D26.8] no later policy makes a decision less, or more, than it was', async () => {
  const { service, anna, ben, hera, setPolicy } = await start()
  const one = await ask(anna.call)
  const digest = await digestOf(anna.call, one)
  await decide(ben.call, anna.user, one, digest)
  await setPolicy({ second_stage: ['vacation'] })
  await service.service.runDueJobs()
  expect(await own(anna.call, one)).toMatchObject({ state: 'approved' })
  expect(await inboxOf(hera.call)).toEqual([])
  expect((await decide(hera.call, anna.user, one, digest, 'declined', 'No')).status).toBe(409)

  const two = await ask(anna.call, { ...asked, date: '2026-12-10', last_date: '2026-12-10' })
  const digestOfTwo = await digestOf(anna.call, two)
  expect((await decide(ben.call, anna.user, two, digestOfTwo)).body.state).toBe('waiting_for_hr')
  await setPolicy({ second_stage: [] })
  await service.service.runDueJobs()
  expect(await own(anna.call, two)).toMatchObject({ state: 'waiting_for_hr', deciders: [{ name: 'Hera' }] })
  expect(await inboxOf(hera.call)).toMatchObject([{ request_id: two, stage: 2 }])
  expect((await decide(hera.call, anna.user, two, digestOfTwo)).body.state).toBe('approved')
  expect((await datesOf(anna.call)).at(-1)).toBe('2026-12-10 vacation')
})

test('[D26.19] a request that waits for others, or for nobody, shows no record as it is now', async () => {
  const { service, anna, ben, hera } = await start({ second_stage: ['vacation'] })
  const entry = await ask(anna.call, { kind: 'sick', date: '2026-11-19' })
  const record = { id: entry, kind: 'vacation', date: '2026-11-19', updated_at: timeOf(service, 1) }
  const dates = { date: '2026-11-19', last_date: '2026-11-19' }
  const changes = [{ kind: 'entries', op: 'upsert', record }]
  const id = await ask(anna.call, { kind: 'request', asks: 'change', ...dates, changes, note: 'for Ben' })
  const digest = await digestOf(anna.call, id)
  const read = async (call: Call) => {
    const { status, body, text } = await call('GET', pathOf(anna.user, id))
    expect(status === 200 || !/sick|for Ben|because/.test(text)).toBe(true)
    return status === 200 ? body.present[0].kind : body.detail
  }
  expect([await read(ben.call), await read(hera.call)]).toEqual(['sick', 'sick'])
  await decide(ben.call, anna.user, id, digest)
  expect([await read(ben.call), await read(hera.call)]).toEqual([
    expect.stringMatching(/^Ben has approved this request already/),
    'sick',
  ])
  await decide(hera.call, anna.user, id, digest, 'declined', 'because')
  const declined = expect.stringMatching(/^Hera has declined this request already/)
  expect([await read(ben.call), await read(hera.call)]).toEqual([declined, declined])
})

test('[D24.3] whoever decides sees no records and counts no days of dates before the membership', async () => {
  const { service, anna, ben, run } = await start()
  await run("UPDATE memberships SET from_date = '2026-11-02', accepted_on = '2026-11-02' WHERE user_id = $1", [
    anna.user,
  ])
  const before = await ask(anna.call, { kind: 'sick', date: '2026-10-30' })
  await ask(anna.call, { kind: 'sick', date: '2026-11-03' })
  const end = { ...asked, asks: 'cancel', absence: 'sick', date: '2026-10-01', last_date: '2026-11-30' }
  const ending = (await ben.call('GET', pathOf(anna.user, await ask(anna.call, end)))).body
  expect(ending.context.days).toBe(1)
  expect((await anna.call('POST', '/api/team/requests/preview', { json: end })).body.days).toBe(2)
  const record = { id: before, kind: 'sick', date: '2026-11-04', updated_at: timeOf(service, 1) }
  const dates = { date: '2026-11-04', last_date: '2026-11-04' }
  const changes = [{ kind: 'entries', op: 'upsert', record }]
  const moving = await ask(anna.call, { kind: 'request', asks: 'change', ...dates, changes })
  expect((await ben.call('GET', pathOf(anna.user, moving))).body).toMatchObject({ present: [null] })
})

test('[D26.15] an approved end of an absence deletes its entries, and closed days follow', async () => {
  const { anna, ben } = await start()
  const id = await ask(anna.call, { ...asked, date: '2026-11-19', last_date: '2026-11-20' })
  await decide(ben.call, anna.user, id, await digestOf(anna.call, id))
  await anna.call('POST', '/api/closed-days', { json: { date: '2026-11-19' } })
  expect((await anna.call('GET', '/api/closed-days/2026-11-19')).body.delta_ms).toBe(0)
  const end = { ...asked, asks: 'cancel', date: '2026-11-19', last_date: '2026-11-19' }
  const ending = await ask(anna.call, end)
  await decide(ben.call, anna.user, ending, await digestOf(anna.call, ending))
  expect(await datesOf(anna.call, '2026-11-01/2026-11-30')).toEqual(['2026-11-20 vacation'])
  expect((await anna.call('GET', '/api/closed-days/2026-11-19')).body.delta_ms).toBe(-8 * HOUR_MS)
})

test('[D26.15] approved changes are made in order, and one that cannot be leaves all as it was', async () => {
  const { service, anna, ben } = await start()
  const workId = newId()
  const work = { kind: 'work', started_at: '2026-11-20T08:00:00.000Z', ended_at: '2026-11-20T12:00:00.000Z' }
  const upsert = (record: object) => ({
    kind: 'entries',
    op: 'upsert',
    record: { updated_at: timeOf(service), ...record },
  })
  const vacation = { kind: 'vacation', date: '2026-11-23', id: newId() }
  const changes = [upsert({ ...work, id: workId }), upsert(vacation)]
  const request = { kind: 'request', asks: 'change', date: '2026-11-20', last_date: '2026-11-23' }
  const bad = await ask(anna.call, { ...request, changes: [...changes, upsert({ ...work, id: 'no id' })] })
  const answer = await decide(ben.call, anna.user, bad, await digestOf(anna.call, bad))
  expect(answer.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('Change 3') })
  expect(await own(anna.call, bad)).toMatchObject({ state: 'waiting', decisions: [] })
  expect(await datesOf(anna.call, '2026-11-01/2026-11-30')).toEqual([])
  const good = await ask(anna.call, { ...request, changes })
  expect((await decide(ben.call, anna.user, good, await digestOf(anna.call, good))).body.state).toBe('approved')
  expect(await entriesOf(anna.call, '2026-11-01/2026-11-30')).toMatchObject([{ id: workId }, { id: vacation.id }])
  const earlier = upsert({ ...work, id: workId, note: 'earlier', updated_at: '2026-11-20T12:00:00.000Z' })
  const late = await ask(anna.call, { ...request, changes: [earlier] })
  const beaten = await decide(ben.call, anna.user, late, await digestOf(anna.call, late))
  expect(beaten.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('a later change') })

  // Lists and mails show the dates of the request alone.
  const beside = upsert({ ...vacation, id: newId(), date: '2026-11-24' })
  const deletion = { kind: 'entries', op: 'delete', id: workId, updated_at: timeOf(service, 1_000) }
  const grant = upsert({ kind: 'vacation_grant', date: '2026-12-31', days: 300, id: newId() })
  const within = upsert({ ...asked, id: newId() })
  for (const [change, date] of [
    [beside, '2026-11-23'],
    [deletion, '2026-11-21'],
    [grant, '2026-11-20'],
    [within, '2026-11-20'],
  ] as const) {
    const id = await ask(anna.call, { ...request, date, changes: [change] })
    const digest = await digestOf(anna.call, id)
    const refused = await decide(ben.call, anna.user, id, digest)
    expect(refused.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('beside') })
    const json = { digest, outcome: 'approved', overwrite: true }
    expect((await ben.call('POST', `${pathOf(anna.user, id)}/decision`, { json })).body.state).toBe('approved')
  }
  expect(await datesOf(anna.call, '2026-11-01/2026-11-30')).toEqual(['2026-11-23 vacation', '2026-11-24 vacation'])
  // Other hours of a row that counts from an earlier date on would change months that nobody has seen.
  const { version: _version, created_at: _at, ...hours } = (await anna.call('GET', '/api/settings')).body.items[0]
  const record = { ...hours, target_ms: [0, 0, 0, 0, 0, 0, 0], updated_at: timeOf(service, 2_000) }
  const settings = { kind: 'settings_history', op: 'upsert', record }
  const long = await ask(anna.call, { ...request, changes: [settings] })
  const refused = await decide(ben.call, anna.user, long, await digestOf(anna.call, long))
  expect(refused.body).toMatchObject({ code: 'conflict', detail: expect.stringContaining('beside') })
})

test('[D25.11] those who decide see the kind of a request and its message, and no note of its changes', async () => {
  const { service, anna, ben, run } = await start({ lead_kinds: [] })
  const id = await ask(anna.call, { ...asked, note: 'Our wedding' })
  const { body } = await ben.call('GET', pathOf(anna.user, id))
  expect(body).toMatchObject({ absence: 'vacation', request: { note: 'Our wedding' } })
  const change = async (note: string, more: object) => {
    const record = { id: newId(), kind: 'sick', date: '2026-11-19', note, updated_at: timeOf(service, 1), ...more }
    const asking = { kind: 'request', asks: 'change', date: '2026-11-19', last_date: '2026-11-19' }
    return ask(anna.call, { ...asking, changes: [{ kind: 'entries', op: 'upsert', record }] })
  }
  const entry = await ask(anna.call, { kind: 'sick', date: '2026-11-19', note: 'a secret cold' })
  for (const [note, more, isOther] of [
    ['another secret', { id: entry }, true],
    ['a secret cold', { id: entry, day_share: 0.5 }, false],
    ['a new secret', {}, true],
  ] as const) {
    const { text, body } = await ben.call('GET', pathOf(anna.user, await change(note, more)))
    expect(body).toMatchObject({ other_notes: [isOther] })
    expect(text).not.toContain('secret')
  }
  // An earlier company has decided an earlier content.
  await run(
    `INSERT INTO decisions (user_id, request_id, number, company_id, digest, stage, outcome, state, reason, decided_by,
       is_own, decided_at)
     VALUES ($1, $2, 1, 0, 'earlier', 1, 'declined', 'declined', 'a secret reason', $1, 0, $3)`,
    [anna.user, id, timeOf(service)],
  )
  expect((await ben.call('GET', pathOf(anna.user, id))).body.decisions).toEqual([])
})

test('[D26.16] an absence under tell is recorded freely, and the lead sees it among who is away', async () => {
  const { service, anna, ben } = await start()
  const absence = { kind: 'time_off_in_lieu', date: '2026-12-03' }
  expect((await anna.call('POST', '/api/entries', { json: absence })).status).toBe(201)
  await service.service.runDueJobs()
  const { items } = (await ben.call('GET', '/api/team/away?from=2026-12-01&to=2026-12-31')).body
  expect(items.find(({ name }: { name: string }) => name === 'Anna').dates).toEqual([
    { from: '2026-12-03', to: '2026-12-03', sight: 'away', kind: 'time_off_in_lieu' },
  ])
})

test('[D30.8] a request names twenty of those who can decide it', async () => {
  const { service, anna, team, role } = await start()
  for (let index = 0; index < 20; index += 1) await role((await service.user()).user, 'lead', team.id)
  const id = await ask(anna.call)
  expect((await own(anna.call, id)).deciders).toHaveLength(20)
})

test('[D26.9] a push that says it is an approval is none', async () => {
  const { service, anna } = await start()
  const record = { kind: 'vacation', date: '2026-12-03', source: 'request', id: newId(), updated_at: timeOf(service) }
  const [result] = await push(anna.call, [{ kind: 'entries', op: 'upsert', record }])
  expect(result).toMatchObject({ status: 'rejected', problem: { code: 'approval_needed' } })
})

test('[D24.6] [D24.9] [D25.6] a deputy decides only while the lead is away, which no member learns', async () => {
  const { service, anna, ben, team, member, role, run } = await start()
  const dora = await member('Dora', team)
  await role(dora.user, 'deputy', team.id, ben.user)
  const id = await ask(anna.call)
  const digest = await digestOf(anna.call, id)
  // Members learn neither that a lead is away nor that a lead has no second factor.
  const known = async () => {
    const { people } = (await anna.call('GET', '/api/me/visibility')).body
    return [(await own(anna.call, id)).deciders, people.map(({ in_force }: { in_force: boolean }) => in_force)]
  }
  const atFirst = await known()
  expect(atFirst).toEqual([
    [
      { user_id: ben.user, name: 'Ben' },
      { user_id: dora.user, name: 'Dora' },
    ],
    [true, true, true],
  ])
  expect((await decide(dora.call, anna.user, id, digest)).status).toBe(404)
  await ben.call('POST', '/api/settings', { json: schedule })
  await ben.call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-23' } })
  await service.service.runDueJobs()
  expect((await decide(dora.call, anna.user, id, digest)).status).toBe(404)
  service.clock.set('2026-11-23T09:00:00.000Z')
  expect(await known()).toEqual(atFirst)
  await run('DELETE FROM second_factors WHERE user_id = $1', [ben.user])
  expect(await known()).toEqual(atFirst)
  expect((await decide(dora.call, anna.user, id, digest)).status).toBe(404)
  await run("INSERT INTO second_factors (user_id, sealed_key, confirmed_at) VALUES ($1, '', $2)", [
    ben.user,
    timeOf(service),
  ])
  expect((await decide(dora.call, anna.user, id, digest)).body.state).toBe('approved')
})

test('[D26.7] the deputy of a lead never decides what that lead asks, who could call in sick for it', async () => {
  const { service, ben, hera, team, member, role } = await start()
  const dora = await member('Dora', team)
  await role(dora.user, 'deputy', team.id, ben.user)
  await ben.call('POST', '/api/settings', { json: schedule })
  await ben.call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-11-23' } })
  const id = await ask(ben.call)
  await service.service.runDueJobs()
  service.clock.set('2026-11-23T09:00:00.000Z')
  const digest = await digestOf(ben.call, id)
  expect((await own(ben.call, id)).deciders).toEqual([{ user_id: hera.user, name: 'Hera' }])
  expect(await inboxOf(dora.call)).toEqual([])
  expect((await dora.call('GET', pathOf(ben.user, id))).status).toBe(404)
  expect((await decide(dora.call, ben.user, id, digest)).status).toBe(404)
  expect((await decide(hera.call, ben.user, id, digest)).body.state).toBe('approved')
})

test('[D24.7] a role that has ended is refused from the next request on', async () => {
  const { anna, ben, run } = await start()
  const id = await ask(anna.call)
  const digest = await digestOf(anna.call, id)
  expect((await ben.call('GET', pathOf(anna.user, id))).status).toBe(200)
  await run('UPDATE team_roles SET until_date = $2 WHERE user_id = $1', [ben.user, '2026-11-20'])
  expect((await ben.call('GET', pathOf(anna.user, id))).status).toBe(404)
  expect((await decide(ben.call, anna.user, id, digest)).status).toBe(404)
})

test('[D24.1] [D26.17] without a company, and for strangers, requests are not found', async () => {
  const { service, anna, member, group } = await start()
  const id = await ask(anna.call)
  const { call } = await member('Otto', await group('Andere'))
  const digest = await digestOf(anna.call, id)
  const answers = [
    await decide(call, anna.user, id, digest),
    await decide(call, anna.user, newId(), digest),
    await decide(call, 999_999 as UserNumber, id, digest),
    await call('GET', pathOf(anna.user, id)),
    await call('POST', `${pathOf(anna.user, id)}/substitution`, {
      json: { from: '2026-12-03', to: '2026-12-08', answer: 'can' },
    }),
  ]
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.detail}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(404)
  const lonely = await service.user()
  expect((await lonely.call('GET', '/api/team/inbox')).status).toBe(403)
})

test('[D26.13] a substitute gets dates only, and their answer is shown and decides nothing', async () => {
  const { service, anna, ben, team, member } = await start()
  const [cleo, dora] = [await member('Cleo', team), await member('Dora', team)]
  const id = await ask(anna.call, { ...asked, substitute: cleo.user })
  await service.service.runDueJobs()
  const row = { user: { user_id: anna.user, name: 'Anna' }, request_id: id, from: '2026-12-03', to: '2026-12-08' }
  expect((await cleo.call('GET', '/api/team/substitutions')).body.items).toEqual([{ ...row, answer: null }])
  const answer = async ({ call }: { call: Call }, answer: string, dates = { from: row.from, to: row.to }) =>
    (await call('POST', `${pathOf(anna.user, id)}/substitution`, { json: { ...dates, answer } })).status
  expect(await answer(dora, 'cannot')).toBe(404)
  expect(await answer(cleo, 'can')).toBe(204)
  // An answer is for the dates that were read, and is shown with them alone.
  const later = { from: '2026-12-10', to: '2026-12-11' }
  expect(await answer(cleo, 'can', later)).toBe(412)
  await anna.call('PUT', `/api/entries/${id}`, {
    json: { ...asked, substitute: cleo.user, date: later.from, last_date: later.to },
  })
  await service.service.runDueJobs()
  expect((await own(anna.call, id)).substitute).toEqual({ user_id: cleo.user, name: 'Cleo', answer: null })
  expect((await cleo.call('GET', '/api/team/substitutions')).body.items).toMatchObject([{ ...later, answer: null }])
  expect(await answer(cleo, 'cannot')).toBe(412)
  await anna.call('PUT', `/api/entries/${id}`, { json: { ...asked, substitute: cleo.user } })
  expect(await answer(cleo, 'cannot')).toBe(204)
  const substitute = { user_id: cleo.user, name: 'Cleo', answer: 'cannot' }
  expect(await own(anna.call, id)).toMatchObject({ state: 'waiting', substitute })
  expect((await ben.call('GET', pathOf(anna.user, id))).body.substitute).toEqual(substitute)
  // Somebody who has not accepted a membership yet stands in for nobody.
  const eve = await member('Eve', team, { acceptedOn: null })
  await ask(anna.call, { ...asked, substitute: eve.user })
  await service.service.runDueJobs()
  expect((await eve.call('GET', '/api/team/substitutions')).status).toBe(404)
  expect((await cleo.call('GET', '/api/team/substitutions')).body.items).toEqual([{ ...row, answer: 'cannot' }])
  expect((await decide(ben.call, anna.user, id, await digestOf(anna.call, id))).body.state).toBe('approved')
})

test('[D26.11] before asking, a person sees days, vacation, who is away, staffing and blocks', async () => {
  const { service, anna, ben, company, team, run } = await start()
  await ben.call('POST', '/api/settings', { json: schedule })
  await ben.call('POST', '/api/entries', { json: { kind: 'sick', date: '2026-12-07' } })
  await run('UPDATE team_groups SET least_present = 1 WHERE id = $1', [team.id])
  await run(
    `INSERT INTO team_blocks (company_id, number, group_id, from_date, to_date, reason) VALUES ($1, 1, $2, $3, $4, $5)`,
    [company.id, company.id, '2026-12-08', '2026-12-20', 'Inventory'],
  )
  await service.service.runDueJobs()
  const preview = await anna.call('POST', '/api/team/requests/preview', { json: asked })
  expect(preview.body).toEqual({
    days: 4,
    vacation: { left: 30, asked: 4, left_if_approved: 26 },
    away: [{ user_id: ben.user, name: 'Ben', dates: [{ from: '2026-12-07', to: '2026-12-07', sight: 'away' }] }],
    short_staffed: [{ date: '2026-12-07', present: 0, least: 1 }],
    blocked: [{ group_id: company.id, from: '2026-12-08', to: '2026-12-20', reason: 'Inventory' }],
  })
  expect((await anna.call('POST', '/api/team/requests/preview', { json: { kind: 'work' } })).status).toBe(422)
  expect((await anna.call('GET', '/api/team/requests/mine')).body.items).toEqual([])
})

test('[D26.14] the requests of a user have a limit together, below which any can be changed and deleted', async () => {
  const { anna } = await start()
  const large = { ...asked, asks: 'change', absence: null, changes: [{ x: 'x'.repeat(60_000) }] }
  const ids: string[] = []
  for (let index = 0; index < 69; index += 1) ids.push(await ask(anna.call, large))
  const post = (content: object) => anna.call('POST', '/api/entries', { json: { id: newId(), ...content } })
  const refused = await post(large)
  expect([refused.status, refused.body.code, refused.body.errors[0].detail]).toEqual([
    422,
    'invalid_record',
    'must not be beyond 4194304 characters of all requests: delete some first',
  ])
  expect((await anna.call('PUT', `/api/entries/${ids[0]}`, { json: asked })).status).toBe(200)
  expect((await post(large)).status).toBe(201)
  expect((await anna.call('DELETE', `/api/entries/${ids[1]}`)).status).toBe(204)
  expect((await own(anna.call, ids[2] ?? '')).state).toBe('waiting')
})

test('[D26.15] a request that would change more than 1,000 records is not approved', async () => {
  const { anna, ben, service, setRules } = await start()
  await setRules(anna.user, null)
  const part = (date: string) => ({ kind: 'vacation', date, day_share: 0.001 })
  const updated_at = timeOf(service)
  const put = (date: string) => {
    return { kind: 'entries', op: 'upsert', record: { id: newId(), updated_at, ...part(date) } }
  }
  await push(
    anna.call,
    Array.from({ length: 1_000 }, (_, n) => put(addDays('2026-12-03', n % 25))),
  )
  await push(anna.call, [put('2026-12-28')])
  const id = await ask(anna.call, { ...asked, asks: 'cancel', last_date: '2026-12-28' })
  const refused = await decide(ben.call, anna.user, id, await digestOf(anna.call, id))
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    'This request would change more than 1,000 records. Decline it, and say why.',
  ])
  const shorter = await ask(anna.call, { ...asked, asks: 'cancel', last_date: '2026-12-27' })
  expect((await decide(ben.call, anna.user, shorter, await digestOf(anna.call, shorter))).status).toBe(200)
  expect((await datesOf(anna.call)).slice(0, 1)).toEqual(['2026-12-28 vacation'])
})
