import { absenceKinds, companyWebhookEvents } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { PASSWORD } from '../http/browser.ts'
import { openReceiver } from '../webhooks/receiver.ts'
import { found, give, join, type Person, person, proof, sql, startCompany, TODAY } from './founded-company.ts'

const HOUR_MS = 3_600_000

/** A service with a receiver of webhooks, and a company with HR and a member. */
async function start() {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  const made = await startCompany({ config: { privateWebhookHosts: [receiver.host] } })
  const { service } = made
  const subscribe = ({ call }: Person, path: string) =>
    call('POST', '/api/webhooks', {
      json: { url: `http://${receiver.host}${path}`, events: companyWebhookEvents, password: PASSWORD },
    })
  const settle = async () => {
    await service.service.runDueJobs()
    await service.service.sendToWebhooks()
  }
  const addMember = async (hr: Person, name: string, company: number) => {
    const member = await person(service, name)
    await join(hr, member, company)
    const hours = [8, 8, 8, 8, 8, 0, 0].map((each) => each * HOUR_MS)
    const json = { effective_from: '2026-01-01', time_zone: 'UTC', target_ms: hours }
    await member.call('POST', '/api/settings', { json })
    await settle()
    return member
  }
  return { ...made, receiver, subscribe, settle, addMember }
}

const asked = { kind: 'request', asks: 'absence', date: '2026-12-03', last_date: '2026-12-04' }

test('[D22.17] [D25.6] companies that differ in kinds, sizes and messages alone send the same events', async () => {
  const { service, admin, hr, company, receiver, subscribe, settle, addMember } = await start()
  const otherHr = await person(service, 'Barbara')
  const other = await found(admin, 'Bell', otherHr)
  /** Lets the same happen in a company; `hidden` is what nobody else sees. */
  const live = async (
    [path, ofHr, id]: [string, Person, number],
    hidden: { sick: object; absence: string; note: string; edit?: object },
  ) => {
    expect((await subscribe(ofHr, path)).status).toBe(201)
    const member = await addMember(ofHr, `Member ${path.slice(1)}`.replace(' ', '-'), id)
    const absence = (await member.call('POST', '/api/entries', { json: { date: '2026-11-25', ...hidden.sick } })).body
      .id
    await settle()
    const content = { ...asked, absence: hidden.absence, note: hidden.note }
    const request = (await member.call('POST', '/api/entries', { json: content })).body.id
    await settle()
    if (hidden.edit) {
      await member.call('PUT', `/api/entries/${request}`, { json: { ...content, ...hidden.edit } })
      const json = { date: '2026-11-25', kind: 'sick', day_share: 0.5 }
      expect((await member.call('PUT', `/api/entries/${absence}`, { json })).status).toBe(200)
    }
    await settle()
    const route = `/api/team/requests/${member.user}/${request}`
    const { digest } = (await ofHr.call('GET', route)).body
    await ofHr.call('POST', `${route}/decision`, { json: { digest, outcome: 'approved' } })
    await settle()
    const bodies = receiver.at(path).map(({ body }) => JSON.parse(body))
    expect(bodies.every(({ data }) => data.user_id === member.user)).toBe(true)
    return bodies.map(({ type, data: { user_id: _user, request_id: _request, ...data } }) => ({ type, ...data }))
  }
  const vacation = { sick: { kind: 'sick', day_share: 0.5 }, absence: 'vacation', note: '' }
  const unpaid = { sick: { kind: 'unpaid', day_share: 0.25 }, absence: 'unpaid', note: 'moving house' }
  const first = await live(['/acme', hr, company], vacation)
  const second = await live(['/bell', otherHr, other], { ...unpaid, edit: { absence: 'vacation', note: '' } })
  const dates = { from: '2026-12-03', to: '2026-12-04' }
  expect(first).toEqual([
    { type: 'away.changed' },
    { type: 'request.waiting', ...dates },
    { type: 'request.decided', ...dates, outcome: 'approved' },
    { type: 'away.changed' },
  ])
  expect(second).toEqual(first)
  const sent = [...receiver.at('/acme'), ...receiver.at('/bell')].map(({ body }) => body).join()
  for (const kind of [...absenceKinds, 'house']) expect(sent).not.toContain(kind)
})

test('[D22.16] a delivery that waits for a webhook of HR is dropped once the role has ended', async () => {
  const { service, hr, company, receiver, subscribe, settle, addMember } = await start()
  expect((await subscribe(hr, '/hr')).status).toBe(201)
  receiver.answer('/hr', (response) => response.writeHead(503).end())
  const grace = await addMember(hr, 'Grace', company)
  await grace.call('POST', '/api/entries', { json: { date: '2026-11-25', kind: 'sick' } })
  await settle()
  const tried = receiver.at('/hr').length
  expect(tried).toBeGreaterThan(0)
  await sql(service, `UPDATE team_roles SET until_date = '2026-11-20' WHERE user_id = $1`, [hr.user])
  service.clock.advance(HOUR_MS)
  await settle()
  expect(receiver.at('/hr')).toHaveLength(tried)
})

test('[D22.16] a delivery of one company goes to nobody who has become HR of another', async () => {
  const { service, admin, hr, company, receiver, subscribe, settle, addMember } = await start()
  const [paul, otherHr] = [await person(service, 'Paul'), await person(service, 'Barbara')]
  const other = await found(admin, 'Bell', otherHr)
  expect((await give(admin, { user_id: paul.user, role: 'hr', group_id: company })).outcome).toBe('added')
  const confirmAt = async (by: Person) => {
    const { items } = (await by.call('GET', '/api/team/roles')).body
    const { id } = items.find(({ user }: { user: { user_id: number } }) => user.user_id === paul.user)
    expect((await by.call('POST', `/api/team/roles/${id}/confirmation`, proof)).body.state).toBe('in_force')
  }
  await confirmAt(hr)
  expect((await subscribe(paul, '/paul')).status).toBe(201)
  receiver.answer('/paul', (response) => response.writeHead(503).end())
  const grace = await addMember(hr, 'Grace', company)
  await grace.call('POST', '/api/entries', { json: { date: '2026-11-25', kind: 'sick' } })
  await settle()
  const tried = receiver.at('/paul').length
  expect(tried).toBeGreaterThan(0)
  await sql(service, `UPDATE team_roles SET until_date = '2026-11-20' WHERE user_id = $1`, [paul.user])
  const json = { items: [{ user_id: paul.user, role: 'hr', group_id: other, from: TODAY }], password: PASSWORD }
  await admin.call('PUT', `/api/team/roles?company=${other}`, { json })
  await confirmAt(otherHr)
  service.clock.advance(HOUR_MS)
  await settle()
  expect(receiver.at('/paul')).toHaveLength(tried)
})

test('[D22.17] [D24.3] [D25.6] no event tells of dates that nobody sees, nor of somebody who has left', async () => {
  const { hr, company, receiver, subscribe, settle, addMember, service } = await start()
  expect((await subscribe(hr, '/hr')).status).toBe(201)
  const grace = await addMember(hr, 'Grace', company)
  const sick = (date: string) => grace.call('POST', '/api/entries', { json: { date, kind: 'sick' } })
  // Before joining, and further ahead than colleagues see.
  for (const date of ['2026-11-18', '2028-01-10']) await sick(date)
  await settle()
  expect(receiver.typesAt('/hr')).toEqual([])
  await sick('2026-11-24')
  await settle()
  expect(receiver.typesAt('/hr')).toEqual(['away.changed'])
  await sql(service, `UPDATE memberships SET from_date = '2026-11-01', accepted_on = '2026-11-01'`, [])
  const items = [{ email: grace.email, group_id: company, from: '2026-11-01', until: '2026-11-20' }]
  await hr.call('PUT', '/api/team/people', { json: { items } })
  await settle()
  const before = receiver.at('/hr').length
  await sick('2026-11-26')
  await grace.call('POST', '/api/entries', { json: { ...asked, absence: 'vacation', planned: true } })
  await settle()
  expect(receiver.at('/hr')).toHaveLength(before)
})

test('[D22.16] only HR has webhooks of the company, and none gets an event once the role has ended', async () => {
  const { service, hr, company, receiver, subscribe, settle, addMember } = await start()
  expect((await subscribe(hr, '/hr')).status).toBe(201)
  const grace = await addMember(hr, 'Grace', company)
  await give(hr, { user_id: grace.user, role: 'lead', group_id: company })
  expect((await subscribe(grace, '/lead')).body.code).toBe('forbidden')
  expect((await subscribe(await person(service, 'Edsger'), '/stranger')).body.code).toBe('not_found')
  await grace.call('POST', '/api/entries', { json: { date: '2026-11-25', kind: 'sick' } })
  await settle()
  expect(receiver.typesAt('/hr')).toEqual(['away.changed'])
  await sql(service, `UPDATE team_roles SET until_date = '2026-11-20' WHERE user_id = $1`, [hr.user])
  await grace.call('POST', '/api/entries', { json: { date: '2026-11-26', kind: 'sick' } })
  await settle()
  expect(receiver.typesAt('/hr')).toEqual(['away.changed'])
})
