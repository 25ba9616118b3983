import { isSheetIntact, type LocalDate } from '@saldo/core'
import { expect, test } from 'vitest'
import type { TestResponse, TestService } from '../harness.ts'
import { heavyTest } from '../heavy-test.ts'
import { newId, timeOf } from '../http/resources.ts'
import { holdTransaction, twoNodes } from '../postgres/two-nodes.ts'
import type { Member } from './company.ts'
import { type Call, HOUR_MS, record, startMonths, submit, work } from './month-company.ts'

/** The company of `startMonths` on two nodes; `there` calls the second one in the session of a member. */
async function startNodes() {
  const [node, other, url] = await twoNodes()
  const made = await startMonths({}, node)
  const there =
    ({ cookies }: Member): Call =>
    (method, path, options = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      return other.call(method, path, { ...options, headers: { origin: other.origin, cookie, ...options.headers } })
    }
  /** Lets the writes of two requests on an account follow each other at once. */
  const inTurn = async (first: () => Promise<TestResponse>, second: () => Promise<TestResponse>) => {
    const held = await holdTransaction(url, `SELECT 1 FROM counters WHERE user_id = ${made.anna.user} FOR UPDATE`)
    const earlier = first()
    await held.waitFor(1)
    const later = second()
    await held.waitFor(2)
    await held.release()
    return [await earlier, await later] as const
  }
  return { ...made, url, there, inTurn }
}

const late = (service: TestService, id = newId(), to = '17', date: LocalDate = '2026-10-06') => ({
  kind: 'entries',
  op: 'upsert',
  record: { id, ...work(date, '08', to), updated_at: timeOf(service, 1_000) },
})
const pushOf = (call: Call, change: object) => call('POST', '/api/sync/push', { json: { changes: [change] } })
const resultOf = ({ body }: TestResponse) => body.results[0].problem?.code ?? body.results[0].status
const lock = (call: Call, user: number, action = 'lock', reason: string | null = null) =>
  call('POST', `/api/team/months/2026-10/${action}`, { json: { users: [user], reason } })
const outcomeOf = ({ body }: TestResponse) => body.items[0].outcome
const prepareFiles = async (call: Call, anna: number) => {
  const mapping = {
    ...{ columns: ['month', 'amount'], separator: ';', decimal_sign: '.', encoding: 'utf-8', header: false },
    rules: [{ sum: 'worked', wage_type: '100', unit: 'hours' }],
  }
  await call('PUT', '/api/team/mapping', { json: mapping })
  await call('PUT', '/api/team/personnel', { json: { items: [{ user_id: anna, number: '7' }] } })
}
const trailed = async (call: Call, kind: string) =>
  (await call('GET', '/api/me/trail')).body.items.filter((row: { kind: string }) => row.kind === kind).length

test('[D27.3] [D27.4] [D27.6] a push beside a lock at another node is in the sheet or rejected as locked', async () => {
  const { service, anna, ben, hera, there, inTurn } = await startNodes()
  const month = async () => (await anna.call('GET', '/api/me/months/2026-10')).body
  const ids = [newId(), newId()] as const
  await submit(anna.call)
  const locking = () => lock(there(ben), anna.user)
  const [pushed, locked] = await inTurn(() => pushOf(anna.call, late(service, ids[0])), locking)
  // The month is not the one any more that was submitted (D27.20).
  expect([resultOf(pushed), outcomeOf(locked)]).toEqual(['applied', 'rejected'])
  await submit(anna.call)
  expect(outcomeOf(await locking())).toBe('changed')
  const first = await month()
  expect(first.sheet.totals.worked_ms).toBe(9 * HOUR_MS)

  await lock(hera.call, anna.user, 'reopen', 'An hour was forgotten')
  await submit(anna.call)
  const [lockedFirst, refused] = await inTurn(
    () => lock(ben.call, anna.user),
    () => pushOf(there(anna), late(service, ids[1])),
  )
  expect([outcomeOf(lockedFirst), resultOf(refused)]).toEqual(['changed', 'locked'])
  const second = await month()
  expect(second.sheet.totals.worked_ms).toBe(9 * HOUR_MS)
  expect([first, second].every(({ sheet }) => isSheetIntact(sheet))).toBe(true)
  expect((await anna.call('GET', `/api/entries/${ids[0]}`)).status).toBe(200)
  expect((await anna.call('GET', `/api/entries/${ids[1]}`)).status).toBe(404)
})

heavyTest('[D27.3] [D27.13] of two locks at two nodes one stores a sheet, and a withdrawal counts or not', async () => {
  const { anna, ben, hera, there, inTurn } = await startNodes()
  const withdraw = () => anna.call('DELETE', '/api/me/months/2026-10/submission')
  await submit(anna.call)
  const [withdrawn, tooLate] = await inTurn(withdraw, () => lock(there(ben), anna.user))
  expect([withdrawn.status, outcomeOf(tooLate)]).toEqual([204, 'rejected'])
  await submit(anna.call)
  const locks = await inTurn(
    () => lock(hera.call, anna.user),
    () => lock(there(ben), anna.user),
  )
  expect(locks.map(outcomeOf)).toEqual(['changed', 'unchanged'])
  expect((await withdraw()).status).toBe(409)
  expect((await anna.call('GET', '/api/me/export')).body.sheets).toHaveLength(1)
  expect(await trailed(anna.call, 'month_locked')).toBe(1)
})

heavyTest('[D31.2] [D31.3] a file beside a reopening has the locked sheet, or there is none', async () => {
  const { service, anna, ben, hera, company, role, url, there } = await startNodes()
  // A run of Hera holds her account until it ends, so that another HR reopens.
  await role(ben.user, 'hr', company.id)
  await record(anna.call, work('2026-10-05'))
  await submit(anna.call)
  await lock(ben.call, anna.user)
  await prepareFiles(hera.call, anna.user)
  const run = (call: Call) =>
    call('POST', '/api/team/exports', { json: { month: '2026-10', leave_out: [ben.user, hera.user] } })
  const textOf = async ({ body }: TestResponse) =>
    (await hera.call('GET', `/api/team/exports/${body.file.number}`)).text
  const reopen = (call: Call) => lock(call, anna.user, 'reopen', 'An hour was forgotten')

  // The month is opened again after the run has read the sheet, and before it stores the file.
  const first = (await anna.call('GET', '/api/me/months/2026-10')).body.sheet.check_code
  const storing = await holdTransaction(url, 'LOCK TABLE payroll_files IN SHARE MODE')
  const making = run(there(hera))
  await storing.waitFor(1)
  expect(outcomeOf(await reopen(ben.call))).toBe('changed')
  await storing.release()
  expect(await textOf(await making)).toBe('2026-10;9.00\r\n')
  await service.service.runDueJobs()
  const { items } = (await anna.call('GET', '/api/me/trail')).body
  const exported = items.filter(({ kind }: { kind: string }) => kind === 'exported')
  expect(exported.map(({ data }: { data: object }) => data)).toEqual([{ month: '2026-10', check_code: first }])
  await pushOf(anna.call, late(service))
  await submit(anna.call)
  await lock(ben.call, anna.user)

  const held = await holdTransaction(url, `SELECT 1 FROM team_groups WHERE id = ${company.id} FOR UPDATE`)
  const running = run(there(hera))
  await held.waitFor(1)
  expect(outcomeOf(await reopen(ben.call))).toBe('changed')
  await held.release()
  expect((await running).body.obstacles).toMatchObject([{ fault: 'not_locked', user_id: anna.user }])
  await submit(anna.call)
  await lock(ben.call, anna.user)
  expect(await textOf(await run(there(hera)))).toBe('2026-10;9.00\r\n')
  expect((await anna.call('GET', '/api/me/months/2026-10')).body.sheet.totals.worked_ms).toBe(18 * HOUR_MS)
})

heavyTest(
  '[D26.4] [D27.11] an approval beside a push of the same record loses neither, and is there once',
  async () => {
    const { service, anna, ben, there, inTurn } = await startNodes()
    const ask = async (date: LocalDate) => {
      const id = await record(anna.call, work(date))
      const changes = [late(service, id, '18', date)]
      const request = await record(anna.call, { kind: 'request', asks: 'change', date, last_date: date, changes })
      const path = `/api/team/requests/${anna.user}/${request}`
      const approve = async (call: Call) => {
        const { digest } = (await ben.call('GET', path)).body
        return call('POST', `${path}/decision`, { json: { digest, outcome: 'approved' } })
      }
      const stored = async () => (await anna.call('GET', `/api/entries/${id}`)).body.ended_at
      return { id, path, approve, stored, later: () => later(id, date) }
    }
    const later = (id: string, date: LocalDate) => {
      const change = late(service, id, '19', date)
      return { ...change, record: { ...change.record, updated_at: timeOf(service, 2_000) } }
    }
    // In an open month, the later time wins.
    const before = await ask('2026-11-19')
    const [approved, pushed] = await inTurn(
      () => before.approve(there(ben)),
      () => pushOf(anna.call, before.later()),
    )
    expect([approved.body.state, resultOf(pushed)]).toEqual(['approved', 'applied'])
    expect(await before.stored()).toBe('2026-11-19T19:00:00.000Z')
    const after = await ask('2026-11-20')
    const [applied, superseded] = await inTurn(
      () => pushOf(anna.call, after.later()),
      () => after.approve(there(ben)),
    )
    expect([resultOf(applied), superseded.status]).toEqual(['applied', 409])
    expect(await after.stored()).toBe('2026-11-20T19:00:00.000Z')
    expect((await ben.call('GET', after.path)).body.decisions).toEqual([])

    // In a locked month, only the approval changes the record.
    const inLocked = [await ask('2026-10-05'), await ask('2026-10-06')] as const
    await submit(anna.call)
    await lock(ben.call, anna.user)
    for (const [index, asked] of inLocked.entries()) {
      const [approve, push] = [() => asked.approve(there(ben)), () => pushOf(anna.call, asked.later())]
      const done = index === 0 ? await inTurn(approve, push) : (await inTurn(push, approve)).toReversed()
      expect([done[0]?.body.state, done[1] && resultOf(done[1])]).toEqual(['approved', 'locked'])
      expect(await asked.stored()).toContain('T18:00')
      const { state, sheet } = (await anna.call('GET', '/api/me/months/2026-10')).body
      expect([state, isSheetIntact(sheet), sheet.totals.worked_ms]).toEqual(['locked', true, (19 + index) * HOUR_MS])
      expect(await trailed(anna.call, 'request_decided')).toBe(2 + index)
    }
  },
)

test('[D8.39] [D29.5] a look that waits shows and notes nothing once the session has ended', async () => {
  const { anna, hera, url, run } = await startNodes()
  const held = await holdTransaction(url, `SELECT 1 FROM counters WHERE user_id = ${anna.user} FOR UPDATE`)
  const paths = ['months/2026-10', 'trail', 'settlement', 'changes']
  const looks = paths.map((path) => hera.call('GET', `/api/team/members/${anna.user}/${path}`))
  // A session has two requests in work; the others wait for their turn.
  await held.waitFor(1)
  await run('DELETE FROM sessions WHERE user_id = $1', [hera.user])
  await held.release()
  expect((await Promise.all(looks)).map(({ status }) => status)).toEqual([401, 401, 401, 401])
  expect(await trailed(anna.call, 'sheet_read')).toBe(0)
  expect(await trailed(anna.call, 'trail_read')).toBe(0)
})

test('[D24.7] a draft that waits is refused once the role has ended, and nobody has looked', async () => {
  const { anna, ben, hera, company, role, url, service } = await startNodes()
  await role(ben.user, 'hr', company.id)
  await prepareFiles(hera.call, anna.user)
  await record(anna.call, work('2026-10-05'))
  const held = await holdTransaction(url, `SELECT 1 FROM counters WHERE user_id = ${anna.user} FOR UPDATE`)
  const json = { month: '2026-10', draft: true, leave_out: [ben.user, hera.user] }
  const drafting = ben.call('POST', '/api/team/exports', { json })
  await held.waitFor(1)
  await service.beside(({ driver }) =>
    driver.run("UPDATE team_roles SET until_date = '2026-09-30' WHERE user_id = $1", [ben.user]),
  )
  await held.release()
  expect([403, 404]).toContain((await drafting).status)
  expect(await trailed(anna.call, 'sheet_read')).toBe(0)
})
