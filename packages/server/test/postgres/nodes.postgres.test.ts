import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { runsOf } from '../../../core/test/tier.ts'
import { JobRunner } from '../../src/account/jobs.ts'
import { noMeter } from '../../src/meter.ts'
import type { Job } from '../../src/store/store.ts'
import { openStores } from '../../src/store/stores.ts'
import { systemRandom } from '../../src/system.ts'
import { sessionLimits } from '../../src/users/web-sessions.ts'
import { startTestService } from '../harness.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from '../http/browser.ts'
import { askForEvents } from '../http/event-client.ts'
import { SoftAuthenticator } from '../http/passkey-authenticator.ts'
import { create, resourceOf } from '../http/resources.ts'
import { ManualClock } from '../manual-clock.ts'
import { newPostgres } from './database.ts'
import { authSecret, holdTransaction, lockRows, twoNodes } from './two-nodes.ts'

const entries = resourceOf('entries')
test('[D5.22] signing out or revoking a token at one node ends the streams at another', async () => {
  const [here, there] = await twoNodes()
  const email = 'ada@example.com'
  const browser = await signUp(here, email)
  const { token, id } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } }))
    .body
  const elsewhere = openBrowser(there)
  await elsewhere.call('POST', '/api/auth/sign-in', { json: { email, password: PASSWORD } })
  const streamOf = ({ cookies }: typeof browser) =>
    askForEvents(there, { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') })
  const [ofSession, ofToken, ofOther] = [
    await streamOf(browser),
    await askForEvents(there, { authorization: `Bearer ${token}` }),
    await streamOf(elsewhere),
  ]
  expect([ofSession, ofToken, ofOther].map(({ status }) => status)).toEqual([200, 200, 200])

  await browser.call('DELETE', `/api/me/tokens/${id}`)
  await there.service.heartbeat()
  await ofToken.ended()
  await browser.call('POST', '/api/auth/sign-out')
  await there.service.heartbeat()
  await ofSession.ended()
  await create(elsewhere.call, entries, entries.content)
  await ofOther.receivesVersion(1)
})

test('[D8.12] a token that one node revokes is refused at another node at the next request', async () => {
  const [here, there] = await twoNodes()
  const browser = await signUp(here)
  const { token, id } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } }))
    .body
  const pull = () => there.call('GET', '/api/sync/pull?since=0', { token })
  const push = () => there.call('POST', '/api/sync/push', { token, json: { changes: [] } })
  for (const ask of [pull, push, pull, push]) expect((await ask()).status).toBe(200)
  expect((await browser.call('DELETE', `/api/me/tokens/${id}`)).status).toBe(204)
  expect((await Promise.all([pull(), push(), pull(), push()])).map(({ status }) => status)).toEqual([
    401, 401, 401, 401,
  ])
})

test('[D19.9] deactivating at one node refuses a token at another, and reactivating lets it in again', async () => {
  const [here, there] = await twoNodes()
  const admin = await signUp(here)
  const grace = await signUp(there)
  const { token } = (await grace.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body
  const { user_id } = (await grace.call('GET', '/api/me')).body
  const set = (active: boolean) =>
    admin.call('PATCH', `/api/admin/users/${user_id}`, { json: { active, password: PASSWORD } })
  const stream = await askForEvents(there, { authorization: `Bearer ${token}` })
  expect((await set(false)).status).toBe(200)
  expect((await there.call('GET', '/api/me', { token })).status).toBe(401)
  await there.service.heartbeat()
  await stream.ended()
  expect((await set(true)).status).toBe(200)
  expect((await there.call('GET', '/api/me', { token })).status).toBe(200)
})

const change = (browser: Browser) =>
  browser.call('POST', '/api/me/password', {
    json: { current_password: PASSWORD, new_password: 'battery staple horse' },
  })

test('[D8.18] a new password at one node ends a session that begins at another at the same time', async () => {
  const [here, there, url] = await twoNodes()
  const email = 'ada@example.com'
  const browser = await signUp(here, email)
  const elsewhere = openBrowser(there)
  const passwords = await lockRows(url, 'users')
  const changed = change(browser)
  await passwords.waitFor(1)
  const signingIn = elsewhere.call('POST', '/api/auth/sign-in', { json: { email, password: PASSWORD } })
  await passwords.waitFor(2)
  await passwords.release()
  expect((await changed).status).toBe(204)
  // It is refused, or its session is ended: that depends on which one gets the lock first.
  await signingIn
  expect((await elsewhere.call('GET', '/api/me')).status).toBe(401)
  expect((await browser.call('GET', '/api/me/sessions')).body.items).toMatchObject([{ current: true }])
})

test('[D8.18] a sign-in leaves no session if another node removes its password or passkey meanwhile', async () => {
  const [here, there, url] = await twoNodes()
  const email = 'ada@example.com'
  const browser = await signUp(here, email)
  const key = new SoftAuthenticator()
  const asked = (await browser.call('POST', '/api/me/passkey-options', { json: { password: PASSWORD } })).body
  const made = { name: 'Telephone', credential: key.create(asked, { origin: here.url }) }
  expect((await browser.call('POST', '/api/me/passkeys', { json: made })).status).toBe(201)
  const elsewhere = openBrowser(there)
  const { body: challenge } = await elsewhere.call('POST', '/api/auth/passkey/options')
  const credential = key.get(challenge, { origin: there.url })

  // All of it was right, and the session is about to begin.
  const removal = await holdTransaction(url, 'SELECT id FROM users FOR UPDATE; DELETE FROM passkeys')
  const byPasskey = elsewhere.call('POST', '/api/auth/passkey', { json: { credential } })
  const byPassword = elsewhere.call('POST', '/api/auth/sign-in', { json: { email, password: PASSWORD } })
  await removal.waitFor(2)
  const changed = change(browser)
  await removal.waitFor(3)
  await removal.release()
  expect((await changed).status).toBe(204)
  expect((await byPasskey).status).toBe(401)
  // It may have ended just before the new password, which then ends its session.
  expect([200, 401]).toContain((await byPassword).status)
  expect((await browser.call('GET', '/api/me/sessions')).body.items).toMatchObject([{ current: true }])
})

test('[D8.18] [D8.32] a new password about to be committed leaves no session or token of the old one', async () => {
  const [here, there, url] = await twoNodes()
  const browser = await signUp(here, 'ada@example.com')
  const { user_id: user } = (await browser.call('GET', '/api/me')).body
  const change = await holdTransaction(
    url,
    `UPDATE users SET password_hash = 'new'; DELETE FROM tokens; DELETE FROM sessions`,
  )
  const json = { email: 'ada@example.com', password: PASSWORD }
  const signingIn = openBrowser(there).call('POST', '/api/auth/sign-in', { json })
  const creating = browser.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })
  await change.waitFor(2)
  await change.release()
  expect([(await signingIn).status, (await creating).status]).toEqual([401, 401])
  const { users, close } = await there.openBeside()
  onTestFinished(() => close())
  expect(await users.sessions(user, sessionLimits(there.clock.now()))).toEqual([])
  expect(await users.tokens(user)).toEqual([])
})

test('[D8.21] of two sign-ups with the set-up code at two nodes, one becomes the first user', async () => {
  const databaseUrl = await newPostgres()
  const config = { databaseUrl, authSecret, signup: 'first' } as const
  const nodes = [await startTestService({ config }), await startTestService({ config })]
  onTestFinished(async () => {
    for (const node of nodes) await node.close()
  })
  const [code] = new Set(nodes.map(({ service }) => service.setupCode))
  const answers = await Promise.all(
    [...nodes, ...nodes].map((node, index) =>
      openBrowser(node).call('POST', '/api/auth/sign-up', {
        json: { email: `${index}@example.com`, name: 'Ada', password: PASSWORD, setup_code: code },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403])
})

/** A range without closed days, so that a job for it is done in one piece. */
const range = { from: '2026-01-01', to: '2026-01-02' } as const

test('[D3.35] a node skips users whose jobs another node is running', async () => {
  const url = await newPostgres()
  const clock = new ManualClock('2026-02-02T12:00:00.000Z')
  const failures: unknown[] = []
  let pieces = 0
  const meter = {
    ...noMeter,
    ranPiece() {
      pieces += 1
    },
  }
  const openNode = async () => {
    const stores = await openStores({ url, clock, random: systemRandom, as: 'service' })
    onTestFinished(() => stores.close())
    const onFailure = (_: unknown, error: unknown) => failures.push(error)
    return { ...stores, jobs: new JobRunner({ store: stores.records, clock, onFailure, meter }) }
  }
  const [here, there] = [await openNode(), await openNode()]
  const users = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const at = '2026-02-02T12:00:00.000Z'
      const added = await here.users.add({ email: `${index}@example.com`, passwordHash: 'none', at })
      if (added.outcome !== 'added') throw new Error(added.outcome)
      const { user } = added
      const job: Job = { id: 'job', dueMs: index, task: { kind: 'recompute', ranges: [range], causes: [] } }
      await here.records.write(user, (writer) => writer.putJob(job))
      return user
    }),
  )
  const waiting = () => here.records.usersWithDueJobs(clock.now(), 100, [])
  // More than a node asks for at once, and the first in its list.
  const busy = users.slice(0, 45)
  const elsewhere = new pg.Client(url)
  await elsewhere.connect()
  await elsewhere.query(`BEGIN; SELECT 1 FROM counters WHERE user_id IN (${busy.join()}) FOR UPDATE`)
  await here.jobs.runDue()
  expect(failures).toEqual([])
  expect([await waiting(), pieces]).toEqual([busy, 5])
  await elsewhere.end()
  await Promise.all([here.jobs.runDue(), there.jobs.runDue()])
  expect([await waiting(), pieces, failures]).toEqual([[], 50, []])
})

test('[D3.34] jobs that two nodes run at once are done once for each user', async () => {
  const [here, there] = await twoNodes()
  const nodes = [here, there]
  for (const { clock } of nodes) clock.set('2026-10-01T12:00:00.000Z')
  const schedule = (hours: number) => ({
    effective_from: '2026-08-03',
    time_zone: 'Europe/Berlin',
    target_ms: Array(7).fill(hours * 3_600_000),
    auto_close: { day_after_ms: 0, week_after_days: 0 },
  })
  const users = await Promise.all(
    Array.from({ length: runsOf(4, 12) }, async (_, index) => {
      const { call } = await here.user()
      const { status, body } = await call('POST', '/api/settings', { json: schedule(1 + (index % 3)) })
      expect(status).toBe(201)
      return { call, id: body.id, hours: 1 + (index % 3) }
    }),
  )
  const runAll = () => Promise.all(nodes.flatMap(({ service }) => [service.runDueJobs(), service.runDueJobs()]))
  /** Returns a row for each user: the numbers of closed days and weeks, and of their revisions. */
  const closings = async () => {
    const rows = await Promise.all(
      users.map(async ({ call, hours }) => {
        const days = (await call('GET', '/api/closed-days?limit=1000')).body.items
        const weeks = (await call('GET', '/api/closed-weeks?limit=1000')).body.items
        const { version } = (await call('GET', '/api/sync/pull')).body
        return [
          days.length,
          weeks.length,
          version,
          new Set(days.map(({ delta_ms }: { delta_ms: number }) => delta_ms / -3_600_000 / hours)),
          new Set([...days, ...weeks].map(({ revision }: { revision: number }) => revision)),
        ]
      }),
    )
    expect(
      new Set(rows.map((row) => JSON.stringify(row.map((one) => (one instanceof Set ? [...one] : one))))).size,
    ).toBe(1)
    return rows[0]
  }
  await runAll()
  // 59 days and 8 weeks since August, each closed with one version behind that of the settings.
  expect(await closings()).toEqual([59, 8, 68, new Set([1]), new Set([1])])
  for (const user of users) {
    user.hours += 1
    const { status } = await user.call('PUT', `/api/settings/${user.id}`, { json: schedule(user.hours) })
    expect(status).toBe(200)
  }
  await runAll()
  expect(await closings()).toEqual([59, 8, 136, new Set([1]), new Set([2])])
  for (const { log } of nodes) expect(log.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
})
