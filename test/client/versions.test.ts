import { fetchTransport, openSaldo, type Saldo } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import { expect, test } from 'vitest'
import { eachWithPhone, type Harness } from './harness.ts'

let harness: Harness
eachWithPhone((opened) => {
  harness = opened
})

const work = { kind: 'work', started_at: '2026-11-16T08:00:00Z', ended_at: '2026-11-16T12:00:00Z' } as const

/** Opens a device whose responses a test can alter on their way. */
async function deviceBehind(alter: (response: Response) => Response): Promise<Saldo> {
  const fetchAltered: typeof fetch = async (input, init) => alter(await fetch(input, init))
  return harness.device('behind', { transport: fetchTransport({ ...harness.address, fetch: fetchAltered }) })
}

const failureOf = async (device: Saldo) => {
  const { state, unsent, lastError } = await device.status.read()
  return { state, unsent, code: lastError?.code }
}

test('[D9.13] a device that the service no longer serves says so, keeps its changes and sends them later', async () => {
  let protocol = '9'
  const device = await deviceBehind(({ body, status, headers }) => {
    const changed = new Headers(headers)
    changed.set('saldo-protocol', protocol)
    return new Response(body, { status, headers: changed })
  })
  await device.sync()
  expect(await failureOf(device)).toEqual({ state: 'idle', unsent: 0, code: undefined })

  protocol = '9; from=9'
  expect(await device.entries.create(work).settled).toMatchObject({ result: 'queued' })
  await device.sync()
  expect(await failureOf(device)).toEqual({ state: 'waiting', unsent: 1, code: 'unknownProtocol' })

  protocol = '9; from=1'
  await device.sync()
  expect(await failureOf(device)).toEqual({ state: 'idle', unsent: 0, code: undefined })
  expect((await harness.ask('/api/entries')).items).toHaveLength(1)
})

test('[D7.7] behind a captive portal a device names what answers, and goes on once the portal is gone', async () => {
  let isCaptive = true
  const page = () => new Response('<h1>Sign in</h1>', { headers: { 'content-type': 'text/html' } })
  const device = await deviceBehind((response) => (isCaptive ? page() : response))
  expect(await device.entries.create(work).settled).toMatchObject({ result: 'queued' })
  await device.sync()
  expect(await failureOf(device)).toEqual({ state: 'waiting', unsent: 1, code: 'wrongService' })
  expect((await device.status.read()).lastError?.detail).toContain('is not Saldo: 200 text/html')
  isCaptive = false
  await device.sync()
  expect(await failureOf(device)).toEqual({ state: 'idle', unsent: 0, code: undefined })
})

test('[D1.33] the service knows every field that a device sends', async () => {
  const named: string[] = []
  let isOffline = false
  const device = await deviceBehind((response) => {
    if (isOffline) throw new TypeError('no network')
    const fields = response.headers.get('saldo-unknown-fields')
    if (fields) named.push(`${response.url}: ${fields}`)
    return response
  })
  const targets = [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000)
  const settings = { effective_from: '2026-11-01', time_zone: 'Europe/Berlin', target_ms: targets } as const
  const adjustment = { effective_date: '2026-11-02', delta_ms: 1, kind: 'correction', reason: 'x' } as const
  for (const offline of [false, true]) {
    isOffline = offline
    const { id } = await device.entries.create(work).settled
    await device.entries.update(id, { note: 'changed' }).settled
    await device.entries.delete((await device.entries.create({ kind: 'sick', date: '2026-11-17' }).settled).id).settled
    await device.settings.create({ ...settings, break_policy: { rules: [{ worked_above_ms: 1, required_ms: 1 }] } })
      .settled
    await device.balanceAdjustments.create(adjustment).settled
  }
  isOffline = false
  await device.sync()
  expect((await device.status.read()).unsent).toBe(0)
  await device.weeks.close('2026-W45')
  await device.weeks.reopen('2026-W45')
  expect(named).toEqual([])
})

test('without Temporal, opening a device says what to load', async () => {
  const temporal = Object.getOwnPropertyDescriptor(globalThis, 'Temporal') as PropertyDescriptor
  const { url, token, user } = harness.address
  Reflect.deleteProperty(globalThis, 'Temporal')
  const opened = openSaldo({ url, token, user, store: sqliteStore(':memory:') }).catch(String)
  Object.defineProperty(globalThis, 'Temporal', temporal)
  expect(await opened).toBe("TypeError: Temporal is missing: import 'temporal-polyfill/global' first")
})
