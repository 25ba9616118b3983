import type { LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import type { TestService } from '../harness.ts'
import { newId, timeOf } from '../http/resources.ts'
import { found, join, type Person, person, startCompany, TODAY } from './founded-company.ts'
import { record, work } from './month-company.ts'

const kindsOf = async (viewer: Person, path: string) =>
  (await viewer.call('GET', path)).body.items.map(({ kind }: { kind: string }) => kind)

async function endMembership(by: Person, { email }: Person, group: number, from: LocalDate, until: LocalDate) {
  const items = [{ email, group_id: group, from, until }]
  const { outcome } = (await by.call('PUT', '/api/team/people', { json: { items } })).body.items[0]
  if (outcome !== 'changed') throw new Error(outcome)
}

const proposeTo = (by: Person, { user }: Person, service: TestService, reason: string) => {
  const changes = [{ kind: 'entries', op: 'delete', id: newId(), updated_at: timeOf(service) }]
  return by.call('POST', `/api/team/members/${user}/changes`, { json: { id: newId(), reason, changes } })
}

test('[D29.8] on the day of a change of companies, each reads what was written for it', async () => {
  const { service, admin, hr, company } = await startCompany({ now: '2026-11-01T08:00:00.000Z' })
  const barbara = await person(service, 'Barbara')
  const other = await found(admin, 'Bell', barbara)
  const anna = await person(service, 'Anna')
  await join(hr, anna, company, '2026-11-01')
  service.clock.set('2026-11-21T08:00:00.000Z')
  await record(anna.call, work('2026-11-03'))
  await hr.call('GET', `/api/team/members/${anna.user}/months/2026-11`)
  expect((await proposeTo(hr, anna, service, 'A reason of Acme')).status).toBe(200)
  await endMembership(hr, anna, company, '2026-11-01', '2026-11-20')
  service.clock.set('2026-11-21T15:00:00.000Z')
  await join(barbara, anna, other, '2026-11-21')
  const trail = `/api/team/members/${anna.user}/trail`
  await hr.call('GET', trail)
  expect((await proposeTo(barbara, anna, service, 'A reason of Bell')).status).toBe(200)
  expect(await kindsOf(barbara, trail)).toEqual(['change_proposed', 'trail_read'])
  // Written on that day about the month that both have.
  expect(await kindsOf(hr, trail)).toEqual(['sheet_read'])
  expect(await kindsOf(anna, '/api/me/trail')).toEqual([
    ...['own_change', 'sheet_read', 'change_proposed'],
    ...['trail_read', 'change_proposed', 'trail_read'],
  ])
})

test('[D24.3] [D29.8] a membership that ended before its first date shows no trail and fails nothing', async () => {
  const { service, hr, company } = await startCompany()
  const anna = await person(service, 'Anna')
  await join(hr, anna, company)
  const remark = { id: newId(), month: '2026-11', text: 'A remark' }
  expect((await anna.call('POST', '/api/me/remarks', { json: remark })).status).toBe(201)
  await endMembership(hr, anna, company, TODAY, '2026-11-20')
  for (const path of ['trail', 'changes', 'months/2026-11', 'months/2026-11/records']) {
    expect((await hr.call('GET', `/api/team/members/${anna.user}/${path}`)).status, path).toBe(404)
  }
  expect((await anna.call('DELETE', `/api/me/remarks/${remark.id}`)).status).toBe(204)
  expect(await kindsOf(anna, '/api/me/trail')).toEqual(['remark_added'])
})
