import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startTestService, type TestServiceOptions } from '../harness.ts'
import { askForEvents } from './event-client.ts'
import { create, newId, push, resourceOf, timeOf } from './resources.ts'

const entries = resourceOf('entries')

async function measured(config: TestServiceOptions['config'] = { metricsPort: 0 }) {
  const service = await startTestService({ config })
  onTestFinished(() => service.close())
  const read = async () => (await fetch(service.service.metricsUrl as string)).text()
  /** The value of a metric, its labels written as Prometheus does. */
  const value = async (name: string) => {
    const line = (await read()).split('\n').find((line) => line.startsWith(`${name} `))
    return line === undefined ? undefined : Number(line.slice(name.length + 1))
  }
  return { service, read, value }
}

test('metrics are off unless a port is given', async () => {
  const { service } = await measured({})
  expect(service.service.metricsUrl).toBeUndefined()
  expect((await service.call('GET', '/metrics', { skipContractCheck: true })).status).toBe(404)
})

test('requests are counted and timed by route, method and class of status', async () => {
  const { service, value, read } = await measured()
  const { call } = await service.user()
  const { id } = await create(call, entries, entries.content)
  for (let n = 0; n < 3; n += 1) await call('GET', `/api/entries/${id}`)
  await call('GET', `/api/entries/${newId()}`)
  await call('GET', '/api/nothing/here')
  const count = (labels: string) => value(`saldo_http_request_duration_seconds_count{${labels}}`)
  expect(await count('method="GET",route="/api/entries/{id}",status="2xx"')).toBe(3)
  expect(await count('method="GET",route="/api/entries/{id}",status="4xx"')).toBe(1)
  expect(await count('method="POST",route="/api/entries",status="2xx"')).toBe(1)
  expect(await count('method="GET",route="none",status="4xx"')).toBe(1)
  expect(await read()).toContain('saldo_http_request_duration_seconds_bucket{le="0.01",')
})

test('[D6.3] metrics count pushed changes by result, and writes by commit', async () => {
  const { service, value } = await measured()
  const { call } = await service.user()
  const record = { ...entries.content, id: newId(), updated_at: timeOf(service) }
  const upsert = { kind: 'entries', op: 'upsert', record }
  // The first use of a token is noted, which is a write too.
  await call('GET', '/api/me')
  const before = (await value('saldo_commit_writes_sum')) ?? 0
  await push(call, [upsert, upsert, { kind: 'closed_days', op: 'upsert', record: { id: '2026-01-01' } }, {}])
  const status = (name: string) => value(`saldo_push_changes_total{status="${name}"}`)
  expect(await Promise.all(['applied', 'unchanged', 'skipped', 'rejected'].map(status))).toEqual([1, 1, 1, 1])
  expect(await value('saldo_commit_writes_sum')).toBe(before + 1)
})

test('[D5.1] metrics count pulls by result and the open event streams', async () => {
  const { service, value } = await measured()
  const { call, token } = await service.user()
  await call('GET', '/api/sync/pull')
  await call('GET', '/api/sync/pull?since=0')
  await call('GET', '/api/sync/pull?since=0')
  const outcome = (name: string) => value(`saldo_pulls_total{outcome="${name}"}`)
  expect(await outcome('snapshot')).toBe(1)
  expect(await outcome('changes')).toBe(2)
  expect(await value('saldo_event_streams')).toBe(0)
  const stream = await askForEvents(service, { authorization: `Bearer ${token}` })
  await stream.receivesVersion(0)
  expect(await value('saldo_event_streams')).toBe(1)
  stream.drop()
  await expect.poll(() => value('saldo_event_streams')).toBe(0)
})

test('[D3.34] metrics count the pieces of jobs and the users who wait for one', async () => {
  const { service, value } = await measured()
  const settings = resourceOf('settings_history')
  for (let n = 0; n < 3; n += 1) {
    const { call } = await service.user()
    const auto_close = { day_after_ms: 0, week_after_days: 0 }
    await create(call, settings, { ...settings.content, effective_from: '2026-11-01', auto_close })
  }
  await service.service.runDueJobs()
  expect(await value('saldo_work_pieces_total{kind="auto_close"}')).toBeGreaterThanOrEqual(3)
  expect(await value('saldo_users_with_work_due')).toBe(0)
  expect(await value('saldo_work_failures_total')).toBe(0)
})

test('the process and its event loop are measured; nothing names a user or a record', async () => {
  const { service, read } = await measured()
  const { call, user, token } = await service.user('ada@example.com')
  const { id } = await create(call, entries, entries.content)
  await call('GET', `/api/entries/${id}?x=${token}`)
  await call('GET', `/api/entries/${token}`)
  const text = await read()
  for (const name of [
    'process_cpu_seconds_total',
    'process_resident_memory_bytes',
    'nodejs_eventloop_lag_p99_seconds',
    'saldo_build_info{build="test"}',
  ]) {
    expect(text).toContain(`\n${name} `)
  }
  for (const secret of [id, token, 'ada@example.com', String(user)]) expect(text).not.toContain(secret)
})

test('the port of the metrics answers nothing else', async () => {
  const { service } = await measured()
  const url = service.service.metricsUrl as string
  expect((await fetch(url)).headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect((await fetch(url, { method: 'HEAD' })).status).toBe(200)
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  for (const path of ['/', '/api/health', '/metrics/x']) expect((await fetch(new URL(path, url))).status).toBe(404)
})

test('metrics have database size, free space, due jobs and last backup, and all counters from the start', async () => {
  const { service, value, read } = await measured()
  await service.user()
  expect(await value('saldo_database_size_bytes')).toBeGreaterThan(10_000)
  // PostgreSQL can be on another computer, and a zero would be an alarm.
  const free = await value('saldo_disk_free_bytes')
  expect(free === undefined || free > 0).toBe(true)
  expect(await value('saldo_last_backup_timestamp_seconds')).toBe(0)
  expect(await value('saldo_jobs_due')).toBe(0)
  const counters = [
    ...['applied', 'unchanged', 'superseded', 'skipped', 'rejected'].map((is) => `push_changes_total{status="${is}"}`),
    ...['changes', 'snapshot', 'stale', 'invalid_cursor'].map((is) => `pulls_total{outcome="${is}"}`),
    ...['recompute', 'auto_close', 'holidays'].map((is) => `work_pieces_total{kind="${is}"}`),
    ...['delivered', 'waiting', 'failed'].map((is) => `webhook_attempts_total{outcome="${is}"}`),
    ...['sent', 'failed'].map((is) => `mails_total{outcome="${is}"}`),
  ]
  for (const counter of counters) expect(await value(`saldo_${counter}`), counter).toBe(0)
  // Prometheus takes a name that ends in _total for a counter.
  expect((await read()).match(/^# TYPE \S+_total (?!counter).*$/gm)).toBeNull()
})

test('alert rules and dashboard use metrics that there are', async () => {
  const { service, read } = await measured()
  const { call } = await service.user()
  await call('GET', '/api/me')
  const names = new Set((await read()).split('\n').flatMap((line) => /^(\w+)[ {]/.exec(line)?.[1] ?? []))
  // Of SQLite alone.
  names.add('saldo_disk_free_bytes')
  for (const file of ['alerts.yml', 'grafana-dashboard.json']) {
    const text = readFileSync(join(import.meta.dirname, '../../../../deploy', file), 'utf8')
    const used = [...new Set(text.match(/\b(?:saldo|nodejs|process)_\w+/g))]
    expect(used.length).toBeGreaterThan(5)
    expect(used.filter((name) => !names.has(name) && !names.has(`${name}_bucket`))).toEqual([])
  }
})
