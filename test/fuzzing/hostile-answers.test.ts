import {
  fetchNotifications,
  fetchTransport,
  InvalidRecordError,
  openSaldo,
  RejectedError,
  type Saldo,
} from '@saldo/client'
import { dexieStore } from '@saldo/client/dexie'
import { sqliteStore } from '@saldo/client/node'
import { DAY_MS, type DateRange, matches, type RecordId, RecordStamp, recordKinds } from '@saldo/core'
import { systemRandom } from '@saldo/server'
import { afterAll, describe, expect, test } from 'vitest'
import type { LocalStore, OpenStore } from '../../packages/client/src/store/store.ts'
import { fakeBrowser } from '../../packages/client/test/dexie/old-databases.ts'
import { isHeavy, runsOf } from '../../packages/core/test/tier.ts'
import { Harness } from '../client/harness.ts'
import { type Chance, chanceOf } from '../simulation/chance.ts'
import { percent, pick } from './hostile.ts'
import { HostileWay, type Mood } from './hostile-answers.ts'

/** Number of devices that get hostile responses. */
const SEEDS = runsOf(2, 40)
/** A step makes fewer requests, however it is answered: cold starts and halved batches are all bounded. */
const MOST_REQUESTS = 300

const harness = await Harness.open()
afterAll(() => harness.close())

const stores = {
  Dexie: () => dexieStore(fakeBrowser()),
  SQLite: () => sqliteStore(`${harness.address.folder}/${systemRandom.uuid()}.db`),
} satisfies Record<string, () => OpenStore>

interface Victim {
  saldo: Saldo
  store: LocalStore
  way: HostileWay
}

async function victim(open: OpenStore, chance: Chance): Promise<Victim> {
  const way = new HostileWay(chance)
  const address = { ...harness.address, fetch: way.fetch }
  const clock = { now: () => harness.nowMs, after: () => () => {} }
  let store: LocalStore | undefined
  const saldo = await openSaldo({
    user: address.user,
    store: (owner) => {
      store = open(owner)
      return store
    },
    transport: fetchTransport(address),
    listen: percent(chance, 30) ? fetchNotifications(address, clock) : async () => 'missing',
    clock,
    random: { ...systemRandom, fraction: () => 0.5 },
  })
  return { saldo, store: store as LocalStore, way }
}

/** The last content that the user gave a record; null if it was deleted. */
type Made = Map<RecordId, string | null>

/** Runs a user's action. A rejection is an error for the user, and it may be invented: the service has either state. */
async function act(saldo: Saldo, made: Made, chance: Chance, note: string): Promise<void> {
  harness.nowMs += 1_000
  const live = [...made].filter(([, text]) => text !== null).map(([id]) => id)
  const shown = new Set((await saldo.entries.all().read()).map(({ record }) => record.id))
  const id = live.length > 0 && percent(chance, 60) ? pick(chance, live) : chance.uuid()
  const content = { kind: 'work', started_at: '2026-11-20T08:00:00Z', ended_at: '2026-11-20T09:00:00Z', note } as const
  try {
    if (shown.has(id) && percent(chance, 40)) {
      await saldo.entries.delete(id).settled
      made.set(id, null)
    } else {
      await saldo.entries.create(content, { id }).settled
      made.set(id, note)
    }
  } catch (error) {
    if (!(error instanceof RejectedError || error instanceof InvalidRecordError)) throw error
    made.delete(id)
  }
}

/** Everything that is kept can be read, and is what it must be. */
async function requireValid({ saldo, store }: Victim): Promise<void> {
  const rows = await store.read(async (tables) => {
    const [held, outbox, meta] = [await tables.baseRecords.all(), await tables.outbox.all(), await tables.meta()]
    await Promise.all([tables.rejectedChanges.all(), tables.conflicts.all()])
    return { held, outbox, meta }
  })
  for (const { kind, id, version, updatedAt, record } of rows.held) {
    expect(recordKinds).toContain(kind)
    expect(matches(RecordStamp, { id, version, updated_at: updatedAt }), JSON.stringify([id, version, updatedAt])).toBe(
      true,
    )
    expect(record === null || (record.id === id && record.version === version)).toBe(true)
  }
  for (const { content, updatedAt } of rows.outbox)
    expect(matches(RecordStamp, { ...content, id: systemRandom.uuid(), version: 0, updated_at: updatedAt })).toBe(true)
  const { position, offsetMs, knownVersion } = rows.meta
  expect(
    position === null ||
      (Number.isSafeInteger(position.version) && (position.tag === null || typeof position.tag === 'string')),
  ).toBe(true)
  expect(Number.isFinite(offsetMs) && Number.isSafeInteger(knownVersion)).toBe(true)
  const range: DateRange = { from: '2026-11-01', to: '2026-11-30' }
  await saldo.entries.all().read()
  await saldo.entries.between(range).read()
  await saldo.account.days(range).read()
  await saldo.account.balance().read()
  await saldo.account.closedWeeks().read()
  expect((await saldo.status.read()).state).not.toBe('stopped')
  expect({}).not.toHaveProperty('polluted')
}

async function suffer(open: OpenStore, seed: number, mood: Mood): Promise<void> {
  const chance = chanceOf(seed)
  const device = await victim(open, chance)
  const { saldo, way } = device
  const made: Made = new Map()
  const bounded = async (work: Promise<unknown>) => {
    way.requestCount = 0
    await work
    expect(way.requestCount).toBeLessThan(MOST_REQUESTS)
  }
  try {
    await saldo.sync()
    for (let step = 0; step < 10; step += 1) {
      way.mood = step > 2 && percent(chance, 85) ? mood : 'honest'
      await bounded(percent(chance, 60) ? act(saldo, made, chance, `${seed} ${step}`) : saldo.sync())
      if (percent(chance, 10)) harness.nowMs += DAY_MS
      await requireValid(device)
    }
    await requireHealed(device, made, mood, bounded)
  } finally {
    await saldo.close()
  }
}

/**
 * Requires that a device with an honest service again has its records and an empty outbox, and that nothing was lost
 * if no hostile answer was plausible.
 */
async function requireHealed(
  { saldo, way }: Victim,
  made: Made,
  mood: Mood,
  bounded: (work: Promise<unknown>) => Promise<void>,
): Promise<void> {
  way.mood = 'honest'
  // A difference at the same version is found within a day and healed once a day.
  for (let day = 0; day < 3; day += 1) {
    harness.nowMs += DAY_MS + 1
    await bounded(saldo.sync())
  }
  expect(await saldo.status.read()).toMatchObject({ state: 'idle', unsent: 0, lastError: null })
  const there = new Map<RecordId, string>()
  for (const { id, note } of (await harness.ask('/api/entries?limit=1000')).items) there.set(id, note)
  const here = new Map((await saldo.entries.all().read()).map(({ record: { id, note } }) => [id, note]))
  expect(here).toEqual(there)
  if (mood !== 'senseless') return
  const rejected = new Set((await saldo.rejectedChanges.list().read()).map(({ change }) => change.id))
  for (const [id, note] of made) if (!rejected.has(id)) expect(there.get(id) ?? null, id).toBe(note)
}

test('[D7.7] endless pages are rejected, and the device tries again later', async () => {
  for (const steps of [0, 1]) {
    const { saldo, way } = await victim(stores.SQLite(), chanceOf(1))
    // Without a last version it begins with a snapshot; else it pulls behind that.
    if (steps === 0) way.mood = 'endless'
    await saldo.sync()
    way.mood = 'endless'
    way.requestCount = 0
    await saldo.sync()
    expect(way.requestCount).toBeLessThan(10)
    expect(await saldo.status.read()).toMatchObject({ state: 'waiting', lastError: { code: 'unreachable' } })
    way.mood = 'honest'
    await saldo.sync()
    expect(await saldo.status.read()).toMatchObject({ state: 'idle', lastError: null })
    await saldo.close()
  }
})

describe.each(Object.entries(stores))('%s', (_, open) => {
  test.each(isHeavy ? (['senseless', 'lying'] as const) : (['lying'] as const))(
    `[R5.1] [D7.7] ${SEEDS} devices stay readable and heal after hostile answers: %s`,
    async (mood) => {
      for (let seed = 1; seed <= SEEDS; seed += 1) {
        await suffer(open(), seed, mood).catch((error: Error) => {
          throw new Error(`seed ${seed}: ${error.message}`, { cause: error })
        })
      }
    },
  )
})
