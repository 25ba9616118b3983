import { join } from 'node:path'
import type { Saldo, ServiceRequest, ServiceResponse } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import { type ContentInput, DAY_MS, MINUTE_MS } from '@saldo/core'
import { systemRandom } from '@saldo/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { HostEnvironment, HostEvent } from '../../packages/client/src/host/environment.ts'
import { Harness } from './harness.ts'

let harness: Harness
beforeEach(async () => {
  harness = await Harness.open()
})
afterEach(() => harness.close())

const sick: ContentInput<'entries'> = { kind: 'sick', date: '2026-11-17' }
const unreachable: ServiceResponse = { outcome: 'retryable', retryAfterMs: 0 }
const busyForAnHour: ServiceResponse = { outcome: 'retryable', retryAfterMs: 60 * MINUTE_MS }

const pushCount = () => harness.requests.filter(({ path }) => path === '/api/sync/push').length
const pullCount = () => harness.requests.filter(({ path }) => path.startsWith('/api/sync/pull?since')).length
const stateOf = async (device: Saldo) => (await device.status.read()).state

/** A page that a test shows, hides and disconnects. */
class FakePage {
  isOnline = true
  backgroundSyncs = 0
  readonly #listeners = new Set<(event: HostEvent) => void>()
  readonly environment: HostEnvironment = {
    isOnline: () => this.isOnline,
    isVisible: () => true,
    requestBackgroundSync: () => {
      this.backgroundSyncs += 1
    },
    subscribe: (listener) => {
      this.#listeners.add(listener)
      return () => this.#listeners.delete(listener)
    },
  }

  tell(event: HostEvent): void {
    for (const listener of this.#listeners) listener(event)
  }
}

test('[D7.57] a mutation made during a long wait is sent at once, whatever the service asked for', async () => {
  const phone = await harness.device('phone')
  harness.answer('phone', () => busyForAnHour)
  await phone.entries.create(sick).settled
  await expect.poll(() => stateOf(phone)).toBe('waiting')
  expect(harness.waits.at(-1)).toBe(60 * MINUTE_MS)
  harness.pass(10 * MINUTE_MS)
  harness.answer('phone', () => undefined)
  await phone.entries.create(sick).settled
  expect(harness.waits.at(-1)).toBe(0)
  harness.pass(0)
  await expect.poll(() => phone.outbox.list().read()).toEqual([])
  expect((await harness.ask('/api/entries')).items).toHaveLength(2)
})

test('[D7.57] many mutations during a wait lead to one attempt in five seconds', async () => {
  const phone = await harness.device('phone')
  harness.answer('phone', () => busyForAnHour)
  await phone.entries.create(sick).settled
  await expect.poll(() => stateOf(phone)).toBe('waiting')
  const before = pushCount()
  for (let second = 1; second <= 20; second += 1) {
    await phone.entries.create(sick).settled
    harness.pass(1_000)
    await expect.poll(() => stateOf(phone)).toBe('waiting')
  }
  expect(pushCount() - before).toBe(4)
})

test('[D7.57] a mutation made after the clock was set back is tried within five seconds', async () => {
  const phone = await harness.device('phone')
  harness.answer('phone', () => busyForAnHour)
  await phone.entries.create(sick).settled
  await expect.poll(() => stateOf(phone)).toBe('waiting')
  harness.nowMs -= DAY_MS
  await phone.entries.create(sick).settled
  expect(harness.waits.at(-1)).toBe(5_000)
})

test('[D7.24] without a mutation, a retry waits as long as the service asked for', async () => {
  const phone = await harness.device('phone')
  harness.answer('phone', () => busyForAnHour)
  await phone.sync()
  expect(harness.waits.at(-1)).toBe(60 * MINUTE_MS)
  const before = harness.requests.length
  harness.pass(60 * MINUTE_MS - 1)
  await phone.status.read()
  expect(harness.requests.slice(before)).toEqual([])
  harness.pass(1)
  await expect.poll(() => harness.requests.length).toBeGreaterThan(before)
})

test('[D7.46] a page that becomes visible syncs', async () => {
  const page = new FakePage()
  const phone = await harness.device('phone', { environment: page.environment })
  await harness.ask('/api/entries', sick)
  page.tell('visible')
  await expect.poll(() => phone.entries.all().read()).toHaveLength(1)
})

test('[D7.46] a network that is back ends a wait, and one that is gone ends the attempts', async () => {
  const page = new FakePage()
  const phone = await harness.device('phone', { environment: page.environment })
  harness.answer('phone', () => unreachable)
  await phone.sync()
  expect(await stateOf(phone)).toBe('waiting')
  harness.answer('phone', () => undefined)
  page.tell('online')
  await expect.poll(() => stateOf(phone)).toBe('idle')
  const { lastSuccessMs, staleSinceMs } = await phone.status.read()
  expect(staleSinceMs).toBeNull()
  page.tell('offline')
  await expect.poll(() => stateOf(phone)).toBe('offline')
  expect(await phone.status.read()).toMatchObject({ online: false, staleSinceMs: lastSuccessMs })
  page.tell('online')
  await expect.poll(() => stateOf(phone)).toBe('idle')
})

test('[D7.46] a page that opens without a network waits for it', async () => {
  const page = new FakePage()
  page.isOnline = false
  harness.answer('phone', () => unreachable)
  const phone = await harness.device('phone', { environment: page.environment })
  harness.answer('phone', () => undefined)
  page.tell('online')
  await expect.poll(() => stateOf(phone)).toBe('idle')
})

test('[D7.59] a device that cannot send asks the browser for a background sync', async () => {
  const page = new FakePage()
  const phone = await harness.device('phone', { environment: page.environment })
  expect(page.backgroundSyncs).toBe(0)
  page.tell('offline')
  await expect.poll(() => stateOf(phone)).toBe('offline')
  expect(page.backgroundSyncs).toBe(1)
  harness.answer('phone', () => unreachable)
  await phone.sync()
  expect(page.backgroundSyncs).toBe(2)
})

test('[D7.56] the status tells how long the oldest unsent change waits', async () => {
  const phone = await harness.device('phone')
  expect(await phone.status.read()).toMatchObject({ unsent: 0, oldestUnsentAtMs: null })
  harness.cutOff('phone')
  const firstMs = harness.nowMs
  const { id } = await phone.entries.create(sick).settled
  harness.nowMs += MINUTE_MS
  await phone.entries.create(sick).settled
  await phone.entries.update(id, { note: 'edited later' }).settled
  expect(await phone.status.read()).toMatchObject({ unsent: 2, oldestUnsentAtMs: firstMs })
})

test('[D7.46] [D5.19] a change notification of any other version leads to a pull, a lower one too', async () => {
  let notify: (version: number) => void = () => {}
  const phone = await harness.device('phone', {
    listen: (onVersion, signal) => {
      notify = onVersion
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('ended')))
    },
  })
  await phone.entries.create(sick).settled
  await phone.sync()
  const before = pullCount()
  notify(0)
  await expect.poll(() => pullCount()).toBe(before + 1)
  await phone.sync()
  const synced = pullCount()
  const { version } = await harness.ask('/api/sync/digest')
  notify(version)
  // A pull that this led to would make a second one of the sync.
  await phone.sync()
  expect(pullCount()).toBe(synced + 1)
})

test('[D3.44] [D3.45] balance and preview are those of the date at the service, whatever the device says', async () => {
  const phone = await harness.device('phone', { aheadMs: 3 * DAY_MS })
  await phone.settings.create({
    effective_from: '2026-11-16',
    time_zone: 'Europe/Berlin',
    target_ms: [...Array(5).fill(8 * 3_600_000), 0, 0] as ContentInput<'settings_history'>['target_ms'],
  }).settled
  await phone.sync()
  expect(await phone.account.balance().read()).toMatchObject({ forecastMs: -40 * 3_600_000 })
  const [row] = await phone.settings.all().read()
  if (!row) throw new Error('no settings')
  expect(await phone.account.preview(row.record)).toMatchObject({ beforeMs: -40 * 3_600_000 })
})

test('[D7.11] [D7.27] a record that was pushed is shown and can be changed before a pull brings it', async () => {
  const phone = await harness.device('phone')
  harness.answer('phone', () => unreachable)
  const { id } = await phone.entries.create(sick).settled
  harness.answer('phone', ({ path }) => (path.startsWith('/api/sync/pull') ? unreachable : undefined))
  await phone.sync()
  expect(await phone.outbox.list().read()).toEqual([])
  expect((await phone.entries.all().read()).map(({ record }) => record.id)).toEqual([id])
  await phone.entries.update(id, { note: 'in bed' }).settled
  expect((await harness.ask(`/api/entries/${id}`)).note).toBe('in bed')
})

test('[D7.58] a field that a newer service fills in makes no conflict of a change', async () => {
  const phone = await harness.device('phone')
  harness.change('phone', '/api/entries', (reply) =>
    reply.outcome === 'ok' ? { ...reply, body: { ...(reply.body as object), mood: 'unknown' } } : reply,
  )
  expect(await phone.entries.create({ ...sick, tags: ['flu'] }).settled).toMatchObject({ result: 'stored' })
  expect(await phone.conflicts.list().read()).toEqual([])
  expect(await phone.outbox.list().read()).toEqual([])
})

test('[D7.21] a direct write that lost is a conflict, which can be dismissed, and then stays away', async () => {
  const [phone, laptop] = [await harness.device('phone'), await harness.device('laptop')]
  const { id } = await phone.entries.create(sick).settled
  await laptop.sync()
  await laptop.entries.update(id, { note: 'theirs' }).settled
  harness.nowMs -= 1_000
  await phone.entries.update(id, { note: 'mine' }).settled
  const [lost] = await phone.conflicts.list().read()
  expect(lost).toMatchObject({ mine: { content: { note: 'mine' } }, theirs: { record: { note: 'theirs' } } })
  if (!lost) throw new Error('no conflict')
  await phone.conflicts.dismiss(lost)
  await phone.sync()
  expect(await phone.conflicts.list().read()).toEqual([])
  expect(await phone.status.read()).toMatchObject({ conflicts: 0 })
  expect((await phone.entries.all().read()).map(({ record }) => record.note)).toEqual(['theirs'])
})

test('[D6.17] [D7.21] a direct write that lost against a delete is a conflict, and is undone', async () => {
  const [phone, laptop] = [await harness.device('phone'), await harness.device('laptop')]
  const { id } = await phone.entries.create(sick).settled
  await laptop.sync()
  await laptop.entries.delete(id).settled
  harness.nowMs -= 1_000
  expect(await phone.entries.update(id, { note: 'mine' }).settled).toBe('stored')
  expect(await phone.conflicts.list().read()).toMatchObject([{ mine: { id }, theirs: { record: null } }])
  expect(await phone.entries.all().read()).toEqual([])
  expect(await phone.outbox.list().read()).toEqual([])
})

const isPushOf = (id: string) => (request: ServiceRequest) =>
  request.path === '/api/sync/push' && JSON.stringify(request.body).includes(id)

test.each([
  ['rejects the push of one', 422],
  ['fails at the push of one', 500],
])('[D7.29] [D7.18] [D7.19] after a restore, a service that %s of the offers gets all others', async (_, status) => {
  const phone = await harness.device('phone')
  const backup = await harness.backUp()
  const ids: string[] = []
  for (let count = 0; count < 5; count += 1) ids.push((await phone.entries.create(sick).settled).id)
  await phone.sync()
  await harness.restore(backup)
  const [bad = '', ...others] = ids
  const problem = { type: 'about:blank', title: 'No', status, code: 'invalid_record', detail: 'No.' } as const
  harness.answer('phone', (request) => {
    if (!isPushOf(bad)(request)) return undefined
    return status === 422
      ? { outcome: 'rejected', status, problem, headers: new Headers() }
      : { outcome: 'retryable', retryAfterMs: 0, problem }
  })
  for (let attempt = 0; attempt < 15; attempt += 1) await phone.sync()
  expect((await harness.ask('/api/entries')).items.map((one: { id: string }) => one.id).toSorted()).toEqual(
    others.toSorted(),
  )
  expect(await phone.rejectedChanges.list().read()).toMatchObject([{ change: { id: bad }, problem }])
  expect(await phone.status.read()).toMatchObject({ state: 'idle', unsent: 0, rejected: 1 })
})

test('[D7.60] a program that knows another kind of records fetches those that it skipped before', async () => {
  const phone = await harness.device('phone')
  const { id } = await phone.balanceAdjustments.create({
    effective_date: '2026-11-01',
    delta_ms: 1,
    kind: 'opening',
    reason: 'start',
  }).settled
  await phone.sync()
  await phone.close()
  // An older program has pulled everything, and skipped this kind.
  const { folder, user } = harness.address
  const store = sqliteStore(join(folder, 'phone.db'))({ user, random: systemRandom })
  await store.write(async (tables) => {
    await tables.baseRecords.delete([`balance_adjustments ${id}`])
    await tables.setMeta({ ...(await tables.meta()), kinds: 'entries closed_days closed_weeks settings_history' })
  })
  await store.close()
  const upgraded = await harness.device('phone')
  expect(await upgraded.balanceAdjustments.all().read()).toMatchObject([{ record: { id } }])
  expect(await upgraded.account.lostClosings().read()).toEqual({ weeks: [], days: [] })
  const before = harness.requests.length
  await upgraded.close()
  await harness.device('phone')
  expect(harness.requests.slice(before).filter(({ path }) => path.startsWith('/api/sync/pull?limit'))).toEqual([])
})

test('[D7.34] cold starts with a complete pull after each of them are not counted together', async () => {
  const phone = await harness.device('phone')
  for (let round = 0; round < 5; round += 1) {
    let isReset = true
    harness.rewrite('phone', (path, body) => {
      if (!path.includes('since') || !isReset) return body
      isReset = false
      return { ...body, since_tag: 'another' }
    })
    await phone.sync()
    expect(isReset).toBe(false)
    expect(await phone.status.read()).toMatchObject({ state: 'idle', lastError: null })
  }
})

test('[D7.34] three cold starts that lead to another one are reported, and retried after five minutes', async () => {
  const phone = await harness.device('phone')
  harness.rewrite('phone', (path, body) => (path.includes('since') ? { ...body, since_tag: 'another' } : body))
  const before = harness.requests.length
  await phone.sync()
  const snapshots = harness.requests.slice(before).filter(({ path }) => path.startsWith('/api/sync/pull?limit'))
  expect(snapshots).toHaveLength(3)
  expect(await phone.status.read()).toMatchObject({ state: 'waiting', lastError: { code: 'coldStartsFailed' } })
  expect(harness.waits.at(-1)).toBe(5 * MINUTE_MS)
  harness.rewrite('phone', (_, body) => body)
  harness.pass(5 * MINUTE_MS)
  await expect.poll(() => stateOf(phone)).toBe('idle')
  expect(await phone.status.read()).toMatchObject({ lastError: null })
})
