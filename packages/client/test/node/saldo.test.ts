import { join } from 'node:path'
import {
  openSaldo,
  type Saldo,
  type ServiceRequest,
  type ServiceResponse,
  type UnsentChangesError,
} from '@saldo/client'
import { HOUR_MS, type KnownDays, problemOf } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import type { LocalStore } from '../../src/store/store.ts'
import { aSettingsRow } from '../../src/testing.ts'
import { contents, outboxRow, owner, rejectedChange } from '../rows.ts'
import { temporaryDir } from './child.ts'

const SERVER_TIME = '2026-11-21T12:00:00.000Z'
const page = { version: 1, tag: 'a', since_tag: 'a', has_more: false, changes: {}, deleted: {} }

/** Opens a device whose service has nothing, and that has no network for pushes. */
async function openDevice() {
  const path = join(temporaryDir(), 'store.db')
  const store = sqliteStore(path)(owner)
  const requests: string[] = []
  const timers = new Set<object>()
  const transport = async ({ method, path }: ServiceRequest): Promise<ServiceResponse> => {
    requests.push(`${method} ${path}`)
    const headers = new Headers()
    if (path === '/api/sync/push') return { outcome: 'retryable', retryAfterMs: 0 }
    if (path === '/api/sync/digest') {
      return { outcome: 'rejected', status: 404, problem: problemOf('not_found', ''), headers }
    }
    return { outcome: 'ok', status: 200, body: { ...page, server_time: SERVER_TIME }, headers }
  }
  const after = () => {
    const timer = {}
    timers.add(timer)
    return () => timers.delete(timer)
  }
  const saldo = await openSaldo({
    user: owner.user,
    store: () => store,
    transport,
    listen: async () => 'missing',
    clock: { now: () => Date.parse(SERVER_TIME), after },
  })
  onTestFinished(() => saldo.close())
  await saldo.sync()
  requests.length = 0
  return { saldo, store, requests, timers, reopen: () => sqliteStore(path)(owner) }
}

const closings: [string, (saldo: Saldo) => Promise<void>, string][] = [
  ['closed week', ({ weeks }) => weeks.close('2026-W46'), 'POST /api/closed-weeks'],
  ['closed day', ({ days }) => days.close('2026-11-09'), 'POST /api/closed-days'],
  ['reopened week', ({ weeks }) => weeks.reopen('2026-W46'), 'DELETE /api/closed-weeks/2026-W46'],
  ['reopened day', ({ days }) => days.reopen('2026-11-09'), 'DELETE /api/closed-days/2026-11-09'],
]

test.each(closings)('[D7.6] [D7.46] a %s is pulled at once', async (...row) => {
  const [, close, requested] = row
  const { saldo, requests } = await openDevice()
  await close(saldo)
  await expect.poll(() => requests.slice(0, 2)).toEqual([requested, 'GET /api/sync/pull?since=1'])
})

async function openWithChanges() {
  const device = await openDevice()
  await device.store.write(async (tables) => {
    await tables.outbox.put([outboxRow(1)])
    await tables.rejectedChanges.put([rejectedChange(2), rejectedChange(3)])
  })
  return device
}
const unsentIn = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    (error: unknown) => (error as UnsentChangesError).unsent,
  )

test('[D7.49] signing out asks for unsent changes, unless it is forced; rejected changes stay', async () => {
  const { saldo, store, requests } = await openWithChanges()
  expect(await unsentIn(saldo.signOut())).toBe(1)
  expect(requests).toEqual([])
  await saldo.signOut({ force: true })
  expect(requests).toEqual(['POST /api/auth/sign-out'])
  expect(await saldo.status.read()).toMatchObject({ needsSignIn: true, unsent: 1, rejected: 2 })
  await store.write((tables) => tables.outbox.delete([1]))
  expect(await unsentIn(saldo.signOut())).toBe(0)
})

test('[D7.49] forgetting a device asks for unsent and rejected changes, unless it is forced', async () => {
  const { saldo, reopen } = await openWithChanges()
  expect(await unsentIn(saldo.forget())).toBe(3)
  await saldo.forget({ force: true })
  const store: LocalStore = reopen()
  onTestFinished(() => store.close())
  expect(await contents(store)).toMatchObject({ outbox: [], rejectedChanges: [] })
})

test('[D7.5] a device that is closed waits for nothing any more', async () => {
  const { saldo, timers } = await openWithChanges()
  await saldo.sync()
  expect(await saldo.status.read()).toMatchObject({ state: 'waiting' })
  expect(timers.size).toBeGreaterThan(0)
  await saldo.close()
  expect(timers.size).toBe(0)
})

test('[D16.14] the preview of a device counts the holidays of the library that it is given', async () => {
  const { saldo, store } = await openDevice()
  const row = aSettingsRow({ effective_from: '2026-11-16' })
  await store.write((tables) =>
    tables.baseRecords.put([
      {
        kind: 'settings_history',
        id: row.id,
        version: 1,
        updatedAt: row.updated_at,
        record: { ...row } as never,
        unconfirmed: false,
      },
    ]),
  )
  const knownDays: KnownDays = () => [{ date: '2026-11-18', name: 'Founding', isPublic: true, share: 1 }]
  const holidays = { country: 'AA', state: null, region: null, partial: {} }
  const { beforeMs, afterMs } = await saldo.account.preview({ ...row, holidays }, knownDays)
  expect(afterMs - beforeMs).toBe(8 * HOUR_MS)
})
