import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { isMainThread, workerData } from 'node:worker_threads'
import { systemRandom } from '@saldo/server'
import { pushBody, sampleEntry } from '../load.ts'
import { PUSH } from '../scenarios.ts'

/** The user who abuses the service. */
export interface AbuserData {
  /** The name of one of the attacks. */
  attack: string
  port: number
  authorization: string
}

/** Requests at a time, each on a connection of its own. */
const AT_ONCE = 8

/** More bodies than the limits admit in the time of an attack. */
const SMALL_BODIES = 140
const LARGE_BODIES = 20

/**
 * The attacks of one user on the service, by name. Each goes on until its thread ends. Bodies are made beforehand:
 * making them would take processor time from the service and from the user who is measured.
 */
export const attacks: Record<string, (abuser: AbuserData) => Promise<void>> = {
  'long entries': async (abuser) => {
    const settings = { ...settingsRow('2005-01-03'), auto_close: { day_after_ms: 0, week_after_days: 0 } }
    await ask(abuser, 'POST', '/api/settings', JSON.stringify(settings))
    const bodies = Array.from({ length: SMALL_BODIES }, (_, n) => pushBody(longEntries(n)))
    await flood((n) => ask(abuser, 'POST', PUSH, bodies[n % bodies.length]))
  },
  'unread pipelined answers': async (abuser) => {
    const lines = `host: x\r\nauthorization: ${abuser.authorization}\r\naccept-encoding: zstd\r\n\r\n`
    const paths = ['/api/openapi.json', '/api/docs/swagger-ui-bundle.js', '/api/me/export', '/api/sync/pull']
    const bytes = paths.map((path) => `GET ${path} HTTP/1.1\r\n${lines}`)
    await flood((n) => pipeline(abuser, (bytes[n % bytes.length] as string).repeat(n % 2 === 0 ? 300 : 8)))
  },
  'a large history of settings': async (abuser) => {
    for (let n = 0; n < 14; n += 1) {
      const records = Array.from({ length: 70 }, (_, index) => {
        const from = new Date(Date.UTC(2016, 0, 1 + n * 70 + index)).toISOString().slice(0, 10)
        return { ...settingsRow(from), x: 'x'.repeat(58_000) }
      })
      await ask(abuser, 'POST', PUSH, pushOf('settings_history', records))
    }
    await flood(() => ask(abuser, 'GET', '/api/account/days?from=2026-01-05&to=2026-01-05'))
  },
  'a flood of bytes': async (abuser) => {
    const entries = () => Array.from({ length: 70 }, (_, n) => ({ ...sampleEntry(n), x: 'x'.repeat(58_000) }))
    const bodies = Array.from({ length: LARGE_BODIES }, () => pushBody(entries()))
    await flood((n) => ask(abuser, 'POST', PUSH, bodies[n % bodies.length]))
  },
  'many keys': async (abuser) => {
    const keysOf = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [n * 7_919, n]))
    const beyond = pushBody([{ ...sampleEntry(0), ...keysOf(200_000) }])
    const most = pushBody(Array.from({ length: 45 }, (_, n) => ({ ...sampleEntry(n), x: keysOf(1_000) })))
    await flood((n) => ask(abuser, 'POST', PUSH, n % 2 === 0 ? beyond : most))
  },
  'exports that are read at once': async (abuser) => {
    for (let n = 0; n < EXPORTED_ENTRIES / 500; n += 1) await ask(abuser, 'POST', PUSH, taggedBody(n, 0))
    await flood(() => ask(abuser, 'GET', '/api/me/export'), 1)
  },
  'pushes of many tags': async (abuser) => {
    const bodies = Array.from({ length: TAGGED_BODIES }, (_, n) => taggedBody(n, 10))
    await flood((n) => ask(abuser, 'POST', PUSH, bodies[n % bodies.length]), 1)
  },
  'pushes over 500 weeks': async (abuser) => {
    await ask(abuser, 'POST', '/api/settings', JSON.stringify(settingsRow('2015-01-05')))
    const bodies = Array.from({ length: TAGGED_BODIES }, (_, n) =>
      pushBody(Array.from({ length: 1_000 }, (_, index) => sampleEntry(n * 1_000 + index, 5_040))),
    )
    await flood((n) => ask(abuser, 'POST', PUSH, bodies[n % bodies.length]), 1)
  },
}

/** Those that the limits end after a few seconds: measured as with an operator who raised the limits. */
export const withoutLimits = new Set(['pushes of many tags', 'pushes over 500 weeks'])

/** Entries of an export, of which the service makes a part in a few milliseconds. */
const EXPORTED_ENTRIES = 50_000
const TAGGED_BODIES = 20

/** The body of a push of 500 entries with so many tags each. */
function taggedBody(n: number, tags: number): string {
  const names = Array.from({ length: tags }, (_, index) => `tag number ${index}`)
  return pushBody(Array.from({ length: 500 }, (_, index) => ({ ...sampleEntry(n * 500 + index), tags: names })))
}

function settingsRow(from: string) {
  const times = { updated_at: new Date().toISOString() }
  const targetMs = [28_800_000, 28_800_000, 28_800_000, 28_800_000, 28_800_000, 0, 0]
  return { id: systemRandom.uuid(), effective_from: from, time_zone: 'Europe/Berlin', target_ms: targetMs, ...times }
}

/** 500 entries of a month each, from 2005 to 2015. */
function longEntries(n: number) {
  return Array.from({ length: 500 }, (_, index) => {
    const startMs = Date.UTC(2005, 0, 3) + ((n * 500 + index) % 3_600) * 86_400_000
    const at = (ms: number) => new Date(ms).toISOString()
    return { ...sampleEntry(index), started_at: at(startMs), ended_at: at(startMs + 30 * 86_400_000) }
  })
}

function pushOf(kind: string, records: readonly { id: string }[]): string {
  return JSON.stringify({ changes: records.map((record) => ({ kind, op: 'upsert', record })) })
}

async function flood(work: (n: number) => Promise<void>, atOnce = AT_ONCE): Promise<void> {
  let count = 0
  const worker = async () => {
    for (;;) {
      count += 1
      await work(count)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })

/** Sends a request, reads whatever the answer is, and waits a moment where the service asks for that. */
function ask({ port, authorization }: AbuserData, method: string, path: string, body?: string): Promise<void> {
  return new Promise((resolve) => {
    const headers = {
      authorization,
      ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    }
    const outgoing = request({ agent, host: '127.0.0.1', port, method, path, headers }, (incoming) => {
      const pauseMs = incoming.statusCode === 429 ? 200 : 0
      incoming.resume().once('close', () => setTimeout(resolve, pauseMs))
    })
    outgoing.once('error', () => resolve())
    outgoing.end(body)
  })
}

/** Sends requests at once, reads nothing, and hangs up when the service does or after a second. */
function pipeline({ port }: AbuserData, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1').pause()
    const timer = setTimeout(() => socket.destroy(), 1_000)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      clearTimeout(timer)
      resolve()
    })
    socket.write(bytes)
  })
}

if (!isMainThread) {
  const abuser = workerData as AbuserData
  await attacks[abuser.attack]?.(abuser)
}
