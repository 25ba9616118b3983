import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type EpochMs, HOUR_MS, type Instant, instantOf, MINUTE_MS, type UserNumber, type ZoneName } from '@saldo/core'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test } from 'vitest'
import { openSaldo, type Saldo, systemRandom } from '../../src/index.ts'
import { SaldoProvider, type Timer, useTimer } from '../../src/react/index.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'

/** Opens a device without a network, whose account is in a zone. */
async function openIn(time_zone: ZoneName, nowMs: EpochMs): Promise<Saldo> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-timer-'))
  const saldo = await openSaldo({
    user: 1 as UserNumber,
    store: sqliteStore(join(folder, 'store.db')),
    transport: async () => ({ outcome: 'retryable', retryAfterMs: 0 }),
    listen: async () => 'missing',
    clock: { now: () => nowMs, after: () => () => {} },
    random: { ...systemRandom, fraction: () => 0.5 },
  })
  onTestFinished(async () => {
    await saldo.close()
    rmSync(folder, { recursive: true })
  })
  const week = Array(5).fill(8 * HOUR_MS)
  await saldo.settings.create({ effective_from: '2026-01-01', time_zone, target_ms: [...week, 0, 0] as never }).settled
  return saldo
}

/** Returns how to render a timer, without a page, once its entries are read. */
async function openTimer(saldo: Saldo, nowMs: EpochMs): Promise<() => Timer> {
  const queries = new Set<ReturnType<Saldo['entries']['between']>>()
  const between: Saldo['entries']['between'] = (range) => {
    const query = saldo.entries.between(range)
    queries.add(query)
    return query
  }
  let timer: Timer
  const TimerOfTest = () => {
    timer = useTimer({ now: () => nowMs })
    return null
  }
  const device: Saldo = { ...saldo, entries: { ...saldo.entries, between } }
  const render = () => {
    renderToStaticMarkup(SaldoProvider({ saldo: device, children: createElement(TimerOfTest) }))
    return timer
  }
  render()
  // A render without a page shows the newest results, but subscribes to none.
  for (const query of queries) {
    await new Promise((resolve) => onTestFinished(query.subscribe(resolve)))
  }
  return render
}

// In these zones the date is another one than in UTC: it begins up to 14 hours before, and ends up to 11 after.
test.each([
  ['Pacific/Kiritimati', '2026-11-20T10:30:00Z'],
  ['Europe/Berlin', '2026-11-20T23:30:00Z'],
  ['America/New_York', '2026-11-21T04:30:00Z'],
  ['Pacific/Niue', '2026-11-21T10:30:00Z'],
])('in %s, the timer of a device shows a break near midnight, and the work before it', async (zone, now) => {
  const nowMs = Date.parse(now)
  const saldo = await openIn(zone, nowMs)
  const [begun, ended] = [20, 10].map((minutes) => instantOf(nowMs - minutes * MINUTE_MS)) as [Instant, Instant]
  await saldo.entries.create({ kind: 'work', started_at: begun, ended_at: ended, note: 'before' }).settled
  await saldo.entries.create({ kind: 'break', started_at: ended, ended_at: null }).settled
  const timer = await openTimer(saldo, nowMs)
  expect(timer().state).toMatchObject({ kind: 'break', before: { note: 'before' } })
})

test('a press of the timer makes its changes on the device', async () => {
  const nowMs = Date.parse('2026-11-20T08:00:00.500Z')
  const saldo = await openIn('Europe/Berlin', nowMs)
  const timer = await openTimer(saldo, nowMs)
  expect(timer().state.kind).toBe('idle')
  for (const [action, kind] of [
    ['start', 'working'],
    ['break', 'break'],
    ['stop', 'idle'],
  ] as const) {
    await timer().press(action)
    await expect.poll(() => timer().state.kind).toBe(kind)
  }
  const records = (await saldo.entries.all().read()).map(({ record }) => record)
  const [started_at, ended_at] = Array(2).fill('2026-11-20T08:00:00.000Z')
  expect(records.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toMatchObject(
    ['break', 'work'].map((kind) => ({ kind, started_at, ended_at, time_zone: null })),
  )
})

test('work that is chosen during a break begins in place of the interrupted work, at the chosen time', async () => {
  const nowMs = Date.parse('2026-11-20T08:00:00Z')
  const saldo = await openIn('Europe/Berlin', nowMs)
  const [begun, ended, chosen] = [60, 30, 10].map((minutes) => instantOf(nowMs - minutes * MINUTE_MS))
  await saldo.entries.create({ kind: 'work', started_at: begun as Instant, ended_at: ended as Instant, note: 'before' })
    .settled
  await saldo.entries.create({ kind: 'break', started_at: ended as Instant, ended_at: null }).settled
  const timer = await openTimer(saldo, nowMs)
  const like = { project: 'Garden', tags: ['beds'], note: 'Roses', counts: false }
  await timer().press('start', like, Date.parse(chosen as Instant))
  await expect.poll(() => timer().state).toMatchObject({ kind: 'working', entry: { ...like, started_at: chosen } })
})
