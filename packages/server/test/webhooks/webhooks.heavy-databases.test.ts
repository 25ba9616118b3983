import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS, type UserNumber } from '@saldo/core'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { noMeter } from '../../src/meter.ts'
import { systemRandom } from '../../src/system.ts'
import { post } from '../../src/webhooks/post.ts'
import { WebhookSender } from '../../src/webhooks/sender.ts'
import { Webhooks } from '../../src/webhooks/webhooks.ts'
import { startTestService } from '../harness.ts'
import { type Browser, PASSWORD, signUp } from '../http/browser.ts'
import { newId } from '../http/resources.ts'
import { openReceiver, withStatus } from './receiver.ts'

/** The verifier compares with the time of this computer. */
const NOW = new Date().toISOString()
const ALL = ['day.closed', 'week.closed', 'balance.changed', 'absence.created', 'absence.changed', 'absence.deleted']
const words = { note: 'secret note', project: 'secret project', tags: ['secret tag'] }
const vacation = (date: string, more: object = {}) => ({ kind: 'vacation', date, ...words, ...more })

const receiver = await openReceiver()
const service = await startTestService({ now: NOW, config: { privateWebhookHosts: [receiver.host], metricsPort: 0 } })
const admin = await signUp(service)
afterAll(async () => {
  await service.close()
  await receiver.close()
})

/** A path of the receiver for each test. */
let path: string
let paths = 0
beforeEach(() => {
  service.clock.set(NOW)
  paths += 1
  path = `/hook-${paths}`
})

const send = () => service.service.sendToWebhooks()

async function createWebhook(
  { call }: Browser,
  events: readonly string[] = ALL,
  url = `http://${receiver.host}${path}`,
) {
  const { status, body, text } = await call('POST', '/api/webhooks', { json: { url, events, password: PASSWORD } })
  expect(status, text).toBe(201)
  return body as { id: string; secret: string }
}

/** A user with a settings row and a webhook. */
async function userWithWebhook(events: readonly string[] = ALL) {
  const browser = await signUp(service)
  const target_ms = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS)
  const settings = { id: newId(), effective_from: '2020-01-01', time_zone: 'Europe/Berlin', target_ms }
  expect((await browser.call('POST', '/api/settings', { json: settings })).status).toBe(201)
  const webhook = await createWebhook(browser, events)
  return {
    browser,
    ...webhook,
    post: async (path: string, json: object) => {
      const { status, body, text } = await browser.call('POST', path, { json })
      expect(status, text).toBe(201)
      return body
    },
    row: async () =>
      (await browser.call('GET', '/api/webhooks')).body.items.find((row: { id: string }) => row.id === webhook.id),
    deliveries: async () => (await browser.call('GET', `/api/webhooks/${webhook.id}/deliveries`)).body.items,
    sendTest: () => browser.call('POST', `/api/webhooks/${webhook.id}/test`),
  }
}

/** Returns how many attempts the metrics count, by outcome. */
async function countedAttempts() {
  const text = await (await fetch(service.service.metricsUrl as string)).text()
  const counts = text.matchAll(/^saldo_webhook_attempts_total\{outcome="(\w+)"\} (\d+)$/gm)
  return Object.fromEntries([...counts].map(([, outcome, count]) => [outcome, Number(count)]))
}

const userOf = async ({ call }: Browser) => (await call('GET', '/api/me')).body.user_id as UserNumber

test('[D22.5] [D22.6] [D22.8] signed events tell of closings, the balance and absences, without words', async () => {
  const { browser, secret, post: create, deliveries } = await userWithWebhook()
  const { id } = await create('/api/entries', vacation('2025-03-04', { day_share: 0.5 }))
  await browser.call('PUT', `/api/entries/${id}`, { json: vacation('2025-03-05') })
  await browser.call('PUT', `/api/entries/${id}`, { json: vacation('2025-03-05', { note: 'another note' }) })
  const holiday = { ...vacation('2025-03-06'), kind: 'public_holiday' }
  await create('/api/entries', holiday)
  const times = { started_at: '2025-03-03T08:00:00.000Z', ended_at: '2025-03-03T16:00:00.000Z' }
  const work = await create('/api/entries', { kind: 'work', ...times, ...words })
  await create('/api/closed-days', { date: '2025-03-07' })
  await send()
  await create('/api/closed-weeks', { week: '2025-W10' })
  await send()
  // Recomputing the closed week changes the balance only.
  await browser.call('DELETE', `/api/entries/${work.id}`)
  await browser.call('DELETE', `/api/entries/${id}`)
  const adjustment = { effective_date: '2025-03-10', delta_ms: HOUR_MS, kind: 'correction', reason: 'secret reason' }
  await send()
  await create('/api/balance/adjustments', adjustment)
  await send()
  await browser.call('DELETE', '/api/closed-weeks/2025-W10')
  await send()

  const verifier = new Webhook(secret)
  const { body: me } = await browser.call('GET', '/api/me')
  const seen = receiver.at(path).map(({ headers, body }) => {
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Saldo' })
    const { type, timestamp, user_id, data, ...rest } = verifier.verify(body, headers) as Record<string, unknown>
    expect([rest, user_id, Date.parse(String(timestamp))]).toEqual([{}, me.user_id, service.clock.now()])
    return [type, data]
  })
  const absence = { id, kind: 'vacation', amount_ms: null }
  const noWork = { worked_ms: 0, deducted_break_ms: 0, credited_ms: 0 }
  const worked = { target_ms: 8 * HOUR_MS, worked_ms: 8 * HOUR_MS, deducted_break_ms: 0, credited_ms: 0, delta_ms: 0 }
  const free = { target_ms: 0, ...noWork, delta_ms: 0 }
  const missed = { target_ms: 8 * HOUR_MS, ...noWork, delta_ms: -8 * HOUR_MS }
  expect(seen).toEqual([
    ['absence.created', { ...absence, date: '2025-03-04', day_share: 0.5 }],
    ['absence.changed', { ...absence, date: '2025-03-05', day_share: 1 }],
    ['day.closed', { date: '2025-03-07', ...missed }],
    ['day.closed', { date: '2025-03-03', ...worked }],
    ['day.closed', { date: '2025-03-04', ...missed }],
    ['day.closed', { date: '2025-03-05', ...free }],
    ['day.closed', { date: '2025-03-06', ...free }],
    ['day.closed', { date: '2025-03-08', ...free }],
    ['day.closed', { date: '2025-03-09', ...free }],
    ['week.closed', { week: '2025-W10', start_date: '2025-03-03', delta_ms: -16 * HOUR_MS }],
    ['balance.changed', { balance_ms: -16 * HOUR_MS }],
    ['absence.deleted', { ...absence, date: '2025-03-05', day_share: 1 }],
    ['balance.changed', { balance_ms: -32 * HOUR_MS }],
    ['balance.changed', { balance_ms: -31 * HOUR_MS }],
    ['balance.changed', { balance_ms: HOUR_MS }],
  ])
  expect(receiver.at(path).filter(({ body }) => /secret|another note|Berlin/.test(body))).toEqual([])
  const ids = receiver.at(path).map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(ids.length)
  expect((await deliveries()).map((delivery: { id: string }) => delivery.id)).toEqual(ids.toReversed())
  const forged = { ...receiver.at(path)[0]?.headers, 'webhook-id': 'msg_other' }
  expect(() => verifier.verify(receiver.at(path)[0]?.body ?? '', forged)).toThrow('No matching signature found')
})

test('[D22.5] a webhook gets the events that it asks for, whether the app, a program or the service acts', async () => {
  const { browser, row } = await userWithWebhook(['absence.created', 'week.closed', 'absence.created'])
  expect((await row()).events).toEqual(['absence.created', 'week.closed'])
  const { call } = await service.user()
  const record = { id: newId(), updated_at: NOW, ...vacation('2025-03-04') }
  const changes = [{ kind: 'entries', op: 'upsert', record }]
  // Another user's absence is nobody else's event.
  await call('POST', '/api/sync/push', { json: { changes } })
  await browser.call('POST', '/api/sync/push', { json: { changes } })
  const auto_close = { day_after_ms: 0, week_after_days: 1 }
  const settings = { effective_from: '2025-03-03', time_zone: 'UTC', target_ms: [0, 0, 0, 0, 0, 0, 0], auto_close }
  service.clock.set('2025-03-12T12:00:00.000Z')
  await browser.call('POST', '/api/settings', { json: { id: newId(), ...settings } })
  await service.service.runDueJobs()
  service.clock.set(NOW)
  await send()
  expect(receiver.typesAt(path)).toEqual(['week.closed', 'absence.created'])
})

test('[D22.4] a stored change is announced after a restart, and one that failed is not', async () => {
  const { browser, post: create } = await userWithWebhook()
  const user = await userOf(browser)
  const stores = await service.openBeside()
  const fields = { id: systemRandom.uuid(), kind: 'sick', date: '2025-03-05', day_share: 1, updated_at: NOW }
  const record = { kind: 'entries', id: fields.id, updatedAt: instantOf(Date.parse(NOW)), deleted: false } as const
  const failing = stores.records.write(user, async (writer) => {
    await writer.put([{ ...record, fields, claims: {} }])
    throw new Error('the rest of the change failed')
  })
  await expect(failing).rejects.toThrow('the rest of the change failed')
  await stores.close()
  const invalid = { changes: [{ kind: 'entries', op: 'upsert', record: { id: newId(), kind: 'sick', date: 'never' } }] }
  await browser.call('POST', '/api/sync/push', { json: invalid })
  await create('/api/entries', vacation('2025-03-04'))
  await service.restart()
  await send()
  expect(receiver.at(path).map(({ body }) => JSON.parse(body).data.date)).toEqual(['2025-03-04'])
})

test('[D22.7] a new balance replaces the one that waits, also after a failed try', async () => {
  const { post: create } = await userWithWebhook(['balance.changed'])
  const adjust = (delta_ms: number) =>
    create('/api/balance/adjustments', { effective_date: '2025-03-10', delta_ms, kind: 'correction', reason: 'x' })
  receiver.answer(path, withStatus(503))
  await adjust(1)
  await adjust(10)
  await send()
  await adjust(100)
  receiver.answer(path, withStatus(200))
  service.clock.advance(DAY_MS)
  await send()
  const sent = receiver.at(path).map(({ headers, body }) => [headers['webhook-id'], JSON.parse(body).data.balance_ms])
  expect(sent.map(([, balance]) => balance)).toEqual([11, 111])
  // Another message, so that a receiver that got the first one does not take it for a repetition.
  expect(sent[0]?.[0]).not.toBe(sent[1]?.[0])
})

test('[D22.9] [D22.10] a delivery is tried eight times with one id and body, redirects and errors alike', async () => {
  const { post: create, deliveries, row } = await userWithWebhook(['absence.created'])
  receiver.answer(path, withStatus(307, { location: `http://${receiver.host}/elsewhere` }))
  await create('/api/entries', vacation('2025-03-04'))
  await send()
  expect(await deliveries()).toMatchObject([{ state: 'waiting', attempts: 1, result: '307', last_attempt_at: NOW }])
  expect((await row()).failing_since).toBe(NOW)
  receiver.answer(path, withStatus(500))
  for (const waitMs of [1, 5, 30, 120, 360, 840, 1_440].map((minutes) => minutes * MINUTE_MS)) {
    service.clock.advance(waitMs - 1)
    await send()
    const [{ attempts, next_attempt_at }] = await deliveries()
    expect(next_attempt_at).toBe(instantOf(service.clock.now() + 1))
    service.clock.advance(1)
    await send()
    expect((await deliveries())[0].attempts).toBe(attempts + 1)
  }
  expect(await deliveries()).toMatchObject([{ state: 'failed', attempts: 8, result: '500', next_attempt_at: null }])
  service.clock.advance(5 * DAY_MS)
  await send()
  expect(receiver.at(path).length).toBe(8)
  expect(new Set(receiver.at(path).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  expect(new Set(receiver.at(path).map(({ body }) => body)).size).toBe(1)
  expect(receiver.at('/elsewhere')).toEqual([])
})

test('[D22.9] a receiver has a limited time, and only the head of its answer is read', async () => {
  const to = (path: string) => ({ url: `http://${receiver.host}${path}`, headers: {}, body: '{}' })
  const limits = { privateHosts: [receiver.host], signal: new AbortController().signal }
  receiver.answer('/silent', () => {})
  expect(await post({ ...to('/silent'), ...limits, timeLimitMs: 50 })).toBe('timeout')
  // A body that never ends.
  receiver.answer('/endless', (response) => response.writeHead(200).write('x'.repeat(10_000)))
  expect(await post({ ...to('/endless'), ...limits, timeLimitMs: 60_000 })).toBe('200')
  receiver.answer('/switching', (response) => {
    response.socket?.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n')
  })
  expect(await post({ ...to('/switching'), ...limits, timeLimitMs: 60_000 })).toBe('unreachable')
  receiver.answer('/broken', (response) => response.destroy())
  expect(await post({ ...to('/broken'), ...limits, timeLimitMs: 60_000 })).toBe('unreachable')
})

test('[D22.11] a 410 switches a webhook off with its deliveries, and a test that arrives switches it on', async () => {
  const { post: create, deliveries, row, sendTest } = await userWithWebhook(['absence.created'])
  receiver.answer(path, withStatus(410))
  await create('/api/entries', vacation('2025-03-04'))
  await create('/api/entries', vacation('2025-03-05'))
  await send()
  expect(await row()).toMatchObject({ disabled: 'gone' })
  expect(await deliveries()).toMatchObject([
    { state: 'failed', attempts: 0, result: null },
    { state: 'failed', attempts: 1, result: '410' },
  ])
  const noted = () => service.log.filter(({ message }) => message === 'switched off a webhook')
  const switchedOff = { level: 'info', fields: { user: expect.any(String), reason: 'gone' } }
  expect(noted()).toMatchObject([switchedOff])
  await sendTest()
  await send()
  // A test that fails switches nothing off.
  expect([noted().length, await row()]).toMatchObject([1, { disabled: 'gone' }])
  await create('/api/entries', vacation('2025-03-06'))
  await send()
  expect(receiver.typesAt(path)).toEqual(['absence.created', 'ping'])
  receiver.answer(path, withStatus(200))
  expect((await sendTest()).status).toBe(202)
  await send()
  expect(await row()).toMatchObject({ disabled: null, failing_since: null })
  await create('/api/entries', vacation('2025-03-07'))
  await send()
  expect(receiver.typesAt(path)).toEqual(['absence.created', 'ping', 'ping', 'absence.created'])
})

test('[D22.11] five days without a delivery switch a webhook off', async () => {
  const { post: create, row } = await userWithWebhook(['absence.created'])
  receiver.answer(path, withStatus(500))
  await create('/api/entries', vacation('2025-03-04'))
  await send()
  service.clock.advance(5 * DAY_MS)
  await send()
  expect(await row()).toMatchObject({ disabled: 'failing', failing_since: NOW })
})

test('[D22.12] a URL must be public and https; a name that leads inside is unreachable like any other', async () => {
  const { browser, post: create } = await userWithWebhook(['absence.created'])
  const wrong = { events: ALL, password: PASSWORD }
  for (const url of ['http://example.com/', 'https://127.0.0.1/', 'https://[::1]/', 'https://a:b@example.com/', 'x']) {
    const refused = await browser.call('POST', '/api/webhooks', { json: { ...wrong, url } })
    expect([refused.status, refused.body.errors[0].pointer], url).toEqual([400, '/url'])
  }
  const port = receiver.host.split(':')[1]
  const { id } = await createWebhook(browser, ['absence.created'], `https://localhost:${port}/inside`)
  const before = receiver.connections()
  await create('/api/entries', vacation('2025-03-04'))
  await send()
  // One connection is that of the webhook at the host that the operator names.
  expect(receiver.connections()).toBe(before + 1)
  const { body } = await browser.call('GET', `/api/webhooks/${id}/deliveries`)
  expect(body.items).toMatchObject([{ state: 'waiting', result: 'unreachable' }])
})

test('[D22.13] a slow receiver holds up its own deliveries, which go one by one, and no others', async () => {
  const slow = await userWithWebhook(['absence.created'])
  const slowPath = path
  path = `${path}-quick`
  const quick = await userWithWebhook(['absence.created'])
  let answerSlow = () => {}
  let open = 0
  receiver.answer(slowPath, (response) => {
    open += 1
    expect(open).toBe(1)
    answerSlow = () => {
      open -= 1
      response.writeHead(200).end()
      answerSlow = () => {}
    }
  })
  for (const date of ['2025-03-04', '2025-03-05']) await slow.post('/api/entries', vacation(date))
  for (const date of ['2025-03-06', '2025-03-07']) await quick.post('/api/entries', vacation(date))
  const sent = send()
  await expect.poll(() => receiver.at(path).length).toBe(2)
  expect(receiver.at(slowPath).length).toBe(1)
  for (const count of [1, 2]) {
    await expect.poll(() => receiver.at(slowPath).length).toBe(count)
    answerSlow()
  }
  await sent
  expect((await slow.deliveries()).map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered'])
})

test('[D22.13] two webhooks of a user are called at a time, so that slow ones hold up no other user', async () => {
  const waiting: (() => void)[] = []
  const openByUser = new Map<string, number>()
  for (const user of ['first', 'second']) {
    path = `/slow-${user}`
    const { browser, post: create } = await userWithWebhook(['absence.created'])
    for (let n = 0; n < 4; n += 1) await createWebhook(browser, ['absence.created'])
    receiver.answer(path, (response) => {
      openByUser.set(user, (openByUser.get(user) ?? 0) + 1)
      waiting.push(() => {
        openByUser.set(user, (openByUser.get(user) ?? 0) - 1)
        response.writeHead(200).end()
      })
    })
    await create('/api/entries', vacation('2025-03-04'))
  }
  path = '/quick-beside-slow'
  const quick = await userWithWebhook(['absence.created'])
  await quick.post('/api/entries', vacation('2025-03-04'))
  const sent = send()
  await expect.poll(() => receiver.at(path).length).toBe(1)
  await expect.poll(() => Object.fromEntries(openByUser)).toEqual({ first: 2, second: 2 })
  for (let answered = 0; answered < 10; ) {
    await expect.poll(() => waiting.length).toBeGreaterThan(0)
    for (const answer of waiting.splice(0)) {
      for (const open of openByUser.values()) expect(open).toBeLessThanOrEqual(2)
      answer()
      answered += 1
    }
  }
  await sent
})

test('[D22.13] after a failed try, the other deliveries of the webhook wait a minute, and metrics count', async () => {
  const { post: create, deliveries } = await userWithWebhook(['absence.created'])
  receiver.answer(path, withStatus(500))
  for (const date of ['2025-03-04', '2025-03-05']) await create('/api/entries', vacation(date))
  await send()
  expect((await deliveries()).map(({ attempts }: { attempts: number }) => attempts)).toEqual([0, 1])
  const before = await countedAttempts()
  receiver.answer(path, withStatus(200))
  service.clock.advance(MINUTE_MS)
  await send()
  expect((await deliveries()).map(({ state }: { state: string }) => state)).toEqual(['delivered', 'delivered'])
  expect(before.waiting).toBeGreaterThan(0)
  expect((await countedAttempts()).delivered).toBe((before.delivered ?? 0) + 2)
})

test.each([
  [410, { disabled: 'gone' }],
  [500, { failing_since: NOW }],
])(
  '[D22.7] [D22.11] [D22.13] a webhook that answers %i leaves the deliveries of another one alone',
  async (status, after) => {
    const { browser, post: create, row, deliveries } = await userWithWebhook(['balance.changed'])
    const failingPath = path
    path = `${path}-other`
    const other = await createWebhook(browser, ['absence.created', 'balance.changed'])
    receiver.answer(failingPath, withStatus(status))
    const hasFailed = Promise.withResolvers<void>()
    receiver.answer(path, (response) => void hasFailed.promise.then(() => response.writeHead(200).end()))
    await create('/api/entries', vacation('2025-03-04'))
    const adjustment = { effective_date: '2025-03-10', delta_ms: 1, kind: 'correction', reason: 'x' }
    await create('/api/balance/adjustments', adjustment)
    const { body } = await browser.call('GET', `/api/webhooks/${other.id}/deliveries`)
    expect(body.items.map(({ type }: { type: string }) => type)).toEqual(['balance.changed', 'absence.created'])
    expect(await deliveries()).toMatchObject([{ type: 'balance.changed', state: 'waiting' }])

    const sent = send()
    await expect.poll(row).toMatchObject(after)
    hasFailed.resolve()
    await sent
    expect(receiver.typesAt(failingPath)).toEqual(['balance.changed'])
    expect(receiver.typesAt(path)).toEqual(['absence.created', 'balance.changed'])
    expect(await row()).toMatchObject(after)
  },
)

test('[D22.13] two nodes send each delivery once', async () => {
  const users = []
  for (const name of ['a', 'b', 'c']) {
    path = `/hook-${paths}-${name}`
    users.push({ path, user: await userWithWebhook(['absence.created']) })
  }
  const dates = Array.from({ length: 8 }, (_, day) => `2025-04-0${day + 1}`)
  for (const { user } of users) for (const date of dates) await user.post('/api/entries', vacation(date))
  const stores = await service.openBeside()
  // It seals with another secret, so what it takes fails without a request.
  const options = { driver: stores.driver, clock: service.clock, random: systemRandom, secret: 'another'.repeat(5) }
  const failed: unknown[] = []
  const note = (error: unknown) => void failed.push(error)
  const other = new WebhookSender({
    ...{ webhooks: new Webhooks(options), clock: service.clock, meter: noMeter, privateHosts: [] },
    ...{ mayGet: async () => true, onDisabled: note, onFailure: note },
  })
  await Promise.all([send(), other.sendDue()])
  await other.stop()
  await stores.close()
  const tried = (await Promise.all(users.map(({ user }) => user.deliveries()))).flat()
  expect(tried.every(({ attempts }: { attempts: number }) => attempts <= 1)).toBe(true)
  service.clock.advance(HOUR_MS)
  await send()
  for (const { path, user } of users) {
    const sent = receiver.at(path).map(({ body }) => JSON.parse(body).data.date as string)
    expect(sent.toSorted()).toEqual(dates)
    for (const { state, attempts, result } of await user.deliveries()) {
      expect([state, result]).toEqual(['delivered', '204'])
      expect(attempts).toBeLessThanOrEqual(2)
    }
  }
  expect(failed).toEqual([])
})

test('[D22.14] the oldest waiting deliveries give way after 1,000, and the log keeps 100 without bodies', async () => {
  const { browser, id, deliveries } = await userWithWebhook(['absence.created'])
  const dates = Array.from({ length: 1_005 }, (_, day) => instantOf(Date.UTC(2020, 0, 1 + day)).slice(0, 10))
  const changes = dates.map((date) => ({
    ...{ kind: 'entries', op: 'upsert' },
    record: { id: newId(), updated_at: NOW, ...vacation(date) },
  }))
  for (const part of [changes.slice(0, 600), changes.slice(600)]) {
    await browser.call('POST', '/api/sync/push', { json: { changes: part } })
  }
  // Another webhook has these limits for itself.
  const other = await createWebhook(browser, ['absence.deleted'], `http://${receiver.host}${path}-other`)
  await browser.call('DELETE', `/api/entries/${changes[0]?.record.id}`)
  const stores = await service.openBeside()
  const stored = () =>
    stores.driver.all<{ payload: string }>('SELECT payload FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id', [
      id,
    ])
  expect((await stored()).map(({ payload }) => JSON.parse(payload).data.date)).toEqual(dates.slice(5))
  await stores.driver.run(
    'DELETE FROM webhook_deliveries WHERE webhook_id = $1 AND id NOT IN (SELECT id FROM (' +
      'SELECT id FROM webhook_deliveries WHERE webhook_id = $1 ORDER BY id DESC LIMIT 103) AS latest)',
    [id],
  )
  await send()
  expect((await stored()).map(({ payload }) => payload)).toEqual(Array(100).fill(''))
  expect((await deliveries()).length).toBe(100)
  expect(receiver.at(path).length).toBe(103)
  const { body } = await browser.call('GET', `/api/webhooks/${other.id}/deliveries`)
  expect(body.items).toMatchObject([{ type: 'absence.deleted', state: 'delivered' }])
  await stores.close()
})

test('[D22.1] a user has five webhooks, which neither a token nor another user sees', async () => {
  const browser = await signUp(service)
  const made = []
  for (let count = 0; count < 5; count += 1) made.push(await createWebhook(browser))
  const json = { url: 'https://example.com/', events: ALL, password: PASSWORD }
  const sixth = await browser.call('POST', '/api/webhooks', { json })
  expect([sixth.status, sixth.body.code]).toEqual([409, 'conflict'])
  const { token } = (await browser.call('POST', '/api/me/tokens', { json: { name: 'x', password: PASSWORD } })).body
  const id = made[0]?.id
  for (const [method, at] of [
    ['GET', ''],
    ['POST', ''],
    ['DELETE', `/${id}`],
    ['POST', `/${id}/test`],
    ['GET', `/${id}/deliveries`],
  ] as const) {
    const options = method === 'POST' && at === '' ? { json } : {}
    expect((await service.call(method, `/api/webhooks${at}`, { token, ...options })).status).toBe(403)
    if (at !== '') expect((await admin.call(method, `/api/webhooks${at}`)).status).toBe(404)
  }
  expect((await browser.call('DELETE', `/api/webhooks/${id}`)).status).toBe(204)
  expect((await browser.call('GET', '/api/webhooks')).body.items.length).toBe(4)
  expect((await browser.call('POST', '/api/webhooks', { json: { ...json, events: [] } })).status).toBe(400)
})

test('[D22.2] creating a webhook needs the password; a new one revokes webhooks, deactivation pauses', async () => {
  const { browser, post: create } = await userWithWebhook(['absence.created'])
  const json = { url: 'https://example.com/', events: ALL }
  expect((await browser.call('POST', '/api/webhooks', { json })).status).toBe(400)
  const wrong = { ...json, password: 'not my password' }
  expect((await browser.call('POST', '/api/webhooks', { json: wrong })).status).toBe(403)
  const change = (current_password: string, new_password: string, keep_tokens: boolean) =>
    browser.call('POST', '/api/me/password', { json: { current_password, new_password, keep_tokens } })
  const count = async () => (await browser.call('GET', '/api/webhooks')).body.items.length
  await create('/api/entries', vacation('2025-03-04'))
  expect((await change(PASSWORD, 'another long password', true)).status).toBe(204)
  expect(await count()).toBe(1)
  expect((await change('another long password', PASSWORD, false)).status).toBe(204)
  expect(await count()).toBe(0)
  await createWebhook(browser)
  await create('/api/entries', vacation('2025-03-05'))
  const user = await userOf(browser)
  await admin.call('PATCH', `/api/admin/users/${user}`, { json: { active: false } })
  await send()
  expect(receiver.at(path)).toEqual([])
  await admin.call('PATCH', `/api/admin/users/${user}`, { json: { active: true, password: PASSWORD } })
  await send()
  expect(receiver.at(path)).toHaveLength(1)
})

test('[D22.2] a delivery that waits for its turn at a node is not made once the user is deactivated', async () => {
  const { browser, post: create } = await userWithWebhook(['absence.created'])
  await create('/api/entries', vacation('2025-03-04'))
  const stores = await service.openBeside()
  try {
    const store = new Webhooks({ ...stores, clock: service.clock, random: systemRandom, secret: 'unused' }).store
    const user = await userOf(browser)
    const due = await store.due(service.clock.now(), 100, { webhooks: [], users: [] })
    const mine = due.find((delivery) => delivery.user === user)
    expect(mine).toBeDefined()
    await admin.call('PATCH', `/api/admin/users/${user}`, { json: { active: false } })
    expect(mine && (await store.claim(mine, service.clock.now() + MINUTE_MS))).toBe(false)
  } finally {
    await stores.close()
  }
})

test('[D22.3] a secret is shown once and stored encrypted; sealed by another secret, it signs nothing', async () => {
  const { browser, id, secret, row, post: create, deliveries } = await userWithWebhook(['absence.created'])
  expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
  const { secret: _none, ...listed } = { secret: undefined, ...(await row()) }
  expect(JSON.stringify((await browser.call('GET', '/api/webhooks')).body)).not.toContain(secret)
  expect(listed).toEqual({
    ...{ id, url: `http://${receiver.host}${path}`, events: ['absence.created'] },
    ...{ created_at: NOW, failing_since: null, disabled: null },
  })
  const stores = await service.openBeside()
  const stored = JSON.stringify(await stores.driver.all('SELECT * FROM webhooks'))
  for (const text of [secret, secret.slice(6), Buffer.from(secret.slice(6), 'base64').toString('hex')]) {
    expect(stored).not.toContain(text)
  }
  await stores.driver.run("UPDATE webhooks SET sealed_secret = 'aa' WHERE id = $1", [id])
  await stores.close()
  await create('/api/entries', vacation('2025-03-04'))
  await send()
  expect(await deliveries()).toMatchObject([{ state: 'waiting', result: 'unusable_secret' }])
  expect(receiver.at(path)).toEqual([])
})

test('[D22.15] a test sends a ping once, thirty times an hour, and one that fails changes nothing', async () => {
  const { sendTest, deliveries, row, secret } = await userWithWebhook(['week.closed'])
  receiver.answer(path, withStatus(500))
  await sendTest()
  await send()
  expect(await deliveries()).toMatchObject([{ type: 'ping', state: 'failed', attempts: 1, result: '500' }])
  expect(await row()).toMatchObject({ failing_since: null, disabled: null })
  const [sent] = receiver.at(path)
  expect(new Webhook(secret).verify(sent?.body ?? '', sent?.headers ?? {})).toMatchObject({ type: 'ping', data: {} })
  for (let count = 1; count < 30; count += 1) expect((await sendTest()).status).toBe(202)
  expect((await sendTest()).status).toBe(429)
  expect((await (await userWithWebhook()).sendTest()).status).toBe(202)
})
