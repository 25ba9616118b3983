import {
  instantOf,
  type LocalDate,
  type Month,
  monthAfter,
  parseContent,
  type UserNumber,
  type WritableKind,
} from '@saldo/core'
import { type Stores, systemClock, systemRandom } from '@saldo/server'
import { JobRunner } from '../../packages/server/src/account/jobs.ts'
import { memberMonthsColumn } from '../../packages/server/src/store/member-months.ts'
import type { StoredRecord } from '../../packages/server/src/store/store.ts'
import { TeamWriter } from '../../packages/server/src/store/team/team-writer.ts'
import { scryptHashing } from '../../packages/server/src/users/password-hashing.ts'
import { addCompany, HR, recoveryCodes } from '../../test/simulation/company.ts'
import { inPieces, pushBody, sampleEntry, send, setHours, type Target } from '../load.ts'
import { startDatabase, startNodes } from '../postgres/servers.ts'
import { atMost, median, quantile, type Result, within } from '../result.ts'
import { addUsers, type RunningServer, startSaldo } from '../servers.ts'

export interface TeamSizes {
  /** Pushes of one change, of each of two users in turns. */
  pushes: number
  /** People whose month is locked at once. */
  locked: number
  /** Members of the company whose pages are read. */
  people: number
  /** Reads of each page. */
  reads: number
}

export const fullTeamSizes: TeamSizes = { pushes: 3_000, locked: 100, people: 5_000, reads: 60 }
export const tinyTeamSizes: TeamSizes = { pushes: 5, locked: 3, people: 12, reads: 2 }

const PUSH = '/api/sync/push'
const LOCKED_MONTHS = 240
const JOINED: LocalDate = '2000-01-01'

/** Measures how much the months of a company cost a push, and how long its acts and pages take (D27.6, D30.2). */
export const team = [pushOfMember, locking, pages]

async function found(stores: Stores, members: readonly UserNumber[], joined = JOINED): Promise<void> {
  const passwordHash = await scryptHashing.hash(HR.password)
  await addCompany(stores, { members, joined, passwordHash, nowMs: Date.now() })
}

/** Compares the push of a member with 240 locked months with that of somebody without a company. */
async function pushOfMember({ pushes }: TeamSizes): Promise<Result[]> {
  const server = await startSaldo({
    users: 3,
    fill: async (stores, [member, newcomer]) => {
      await found(stores, [member, newcomer] as UserNumber[])
      const first: Month = '2000-01'
      const locked = Array.from({ length: LOCKED_MONTHS }, (_, index) => monthAfter(first, index))
      const column = memberMonthsColumn({ locked, submitted: [] })
      await stores.driver.run('UPDATE counters SET member_months = $2 WHERE user_id = $1', [member ?? 0, column])
    },
  })
  const { target, users } = server
  const [member, newcomer, alone] = users as [number, number, number]
  for (const user of users) await setHours(target, user, '2026-01-01')
  const times = new Map<number, number[]>(users.map((user) => [user, []]))
  for (let round = 0; round < 2 * pushes; round += 1) {
    // In turns, and each of them first as often as the others.
    const inTurn = users.map((_, index) => users[(index + round) % users.length] ?? 0)
    for (const user of inTurn) {
      const body = pushBody([sampleEntry(80_000 + round)])
      const startMs = performance.now()
      await send(target, user, 'POST', PUSH, body)
      // The first half warms the service up.
      if (round >= pushes) times.get(user)?.push(performance.now() - startMs)
    }
  }
  await server.stop()
  const of = (user: number) => median(times.get(user) ?? [])
  const text = (ms: number) => `${ms.toFixed(3)} ms`
  return [
    atMost(
      'push of a member, to one without a company',
      text(of(alone)),
      text(of(newcomer)),
      of(newcomer) / of(alone),
      1.03,
    ),
    atMost(
      `push of a member with ${LOCKED_MONTHS} locked months, to one without`,
      text(of(newcomer)),
      text(of(member)),
      of(member) / of(newcomer),
      1.03,
    ),
  ]
}

/** Locks a month of many people at once while somebody else works. */
async function locking({ locked }: TeamSizes): Promise<Result[]> {
  const month = monthAfter(new Date().toISOString().slice(0, 7) as Month, -2)
  const server = await startSaldo({ users: locked + 1, fill: (stores, users) => found(stores, users.slice(1)) })
  const { target, users } = server
  const [other = 0, ...members] = users
  await inPieces(members.length, 8, async (index) => {
    await setHours(target, members[index] ?? 0, `${month}-01`)
    const entries = Array.from({ length: 40 }, (_, half) => {
      const day = `${month}-${String(1 + (half >> 1)).padStart(2, '0')}`
      const [from, to] = half % 2 === 0 ? ['07', '11'] : ['12', '16']
      return { ...sampleEntry(half), started_at: `${day}T${from}:00:00.000Z`, ended_at: `${day}T${to}:00:00.000Z` }
    })
    await send(target, members[index] ?? 0, 'POST', PUSH, pushBody(entries))
  })
  const pushOnce = async (n: number) => {
    const startMs = performance.now()
    await send(target, other, 'POST', PUSH, pushBody([sampleEntry(n)]))
    return performance.now() - startMs
  }
  const hr = await signIn(target)
  const quiet: number[] = []
  for (let n = 0; n < 300; n += 1) quiet.push(await pushOnce(n))
  const lock = hr('POST', `/api/team/months/${month}/lock`, { users: members })
  let isOver = false
  const startMs = performance.now()
  void lock.then(() => {
    isOver = true
  })
  const during: number[] = []
  while (!isOver) during.push(await pushOnce(1_000 + during.length))
  const lockMs = performance.now() - startMs
  const { items } = (await lock) as { items: { outcome: string }[] }
  const changed = items.filter(({ outcome }) => outcome === 'changed').length
  if (changed !== locked)
    throw new Error(`only ${changed} of ${locked} months were locked: ${JSON.stringify(items[0])}`)
  await server.stop()
  const [before, slowest] = [quantile(quiet, 0.95), quantile(during, 0.95)]
  return [
    within(`locking the month of ${locked} people`, lockMs / 1_000, 5, 's'),
    atMost(
      'p95 of pushes of others meanwhile',
      `${before.toFixed(2)} ms`,
      `${slowest.toFixed(2)} ms`,
      slowest / before,
      3,
    ),
  ]
}

/** Reads pages of 100 people of a large company, on SQLite and on PostgreSQL. */
async function pages({ people, reads }: TeamSizes): Promise<Result[]> {
  const month = new Date().toISOString().slice(0, 7)
  const fill = async (stores: Stores, users: readonly UserNumber[]) => {
    await found(stores, users)
    for (const user of users) await stores.records.write(user, (writer) => writer.put(accountOf(user, month)))
    await stores.driver.write((sql) => new TeamWriter(sql, instantOf(Date.now())).enqueueFacts(1))
    await new JobRunner({ store: stores.records, clock: systemClock, onFailure }).runDue()
  }
  const readPages = async (prefix: string, { target }: Pick<RunningServer, 'target'>) => {
    const hr = await signIn(target)
    const medianOf = async (path: string) => {
      const times: number[] = []
      for (let read = 0; read < reads; read += 1) {
        const startMs = performance.now()
        await hr('GET', path)
        times.push(performance.now() - startMs)
      }
      return median(times)
    }
    const of = `100 of ${people.toLocaleString('en')} people`
    const board = await medianOf(`/api/team/board?month=${month}`)
    const away = await medianOf(`/api/team/away?from=${month}-01&to=${month}-28`)
    return [within(`${prefix}board of ${of}`, board, 50, 'ms'), within(`${prefix}who is away, ${of}`, away, 50, 'ms')]
  }
  const server = await startSaldo({ users: people, fill })
  const onSqlite = await readPages('', server)
  await server.stop()
  const database = await startDatabase()
  const { nodes, stop } = await startNodes(database, 1, async (_url, stores) => {
    const users = await addUsers(stores, people)
    await fill(stores, users)
    return users
  })
  const onPostgres = await readPages('PostgreSQL: ', nodes[0] as RunningServer)
  await stop()
  await database.remove()
  return [...onSqlite, ...onPostgres]
}

const onFailure = (_user: UserNumber, error: unknown) => {
  throw error
}

/** The records of an account with planned time and a few days off in a month. */
function accountOf(user: UserNumber, month: string): StoredRecord[] {
  const updatedAt = instantOf(Date.parse(`${month}-01`))
  const record = (kind: WritableKind, content: object): StoredRecord => {
    const parsed = parseContent(kind, content)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
    const id = systemRandom.uuid()
    const fields = { ...parsed.value, id, updated_at: updatedAt, created_at: updatedAt }
    return { kind, id, updatedAt, deleted: false, fields, claims: {} } as unknown as StoredRecord
  }
  const target_ms = [...Array<number>(5).fill(28_800_000), 0, 0]
  const days = [1, 2, 3, 4, 5].map((index) => `${month}-${String(1 + ((user + 5 * index) % 28)).padStart(2, '0')}`)
  return [
    record('settings_history', { effective_from: JOINED, time_zone: 'Europe/Berlin', target_ms }),
    ...days.map((date) => record('entries', { kind: 'vacation', date })),
  ]
}

type Call = (method: string, path: string, body?: object) => Promise<unknown>

async function signIn({ port }: Target): Promise<Call> {
  const origin = `http://127.0.0.1:${port}`
  let cookie = ''
  const call: Call = async (method, path, body) => {
    const headers = { origin, cookie, 'content-type': 'application/json' }
    const response = await fetch(origin + path, { method, headers, body: body ? JSON.stringify(body) : null })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text.slice(0, 300)}`)
    if (path === '/api/auth/sign-in') {
      cookie = response.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ')
    }
    return text === '' ? undefined : JSON.parse(text)
  }
  await call('POST', '/api/auth/sign-in', { ...HR, code: recoveryCodes[0] })
  return call
}
