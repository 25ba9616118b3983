import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instantOf, type UserNumber } from '@saldo/core'
import { type Config, type DatabaseLocation, databaseFile, openStores, userParts } from '@saldo/server'
import { quickHashing } from '../../packages/server/test/quick-hashing.ts'
import { chanceOf } from './chance.ts'
import { addCompany, HR, JOINED } from './company.ts'
import type { Answer } from './network.ts'

/** Where the files of the runs lie: in memory where there is such a place, since nothing here waits for a real disk. */
const FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export function makeFolder(name: string): string {
  return mkdtempSync(join(FOLDER, `saldo-${name}-`))
}

/** A user of the service, with what tells their browser's requests. */
export interface User {
  id: UserNumber
  token: string
}

export const START_MS = Date.parse('2026-11-21T08:00:00.000Z')

/** A moment of a node's work, counted in messages to the database, before or after their delivery. */
export interface Moment {
  at: 'before' | 'after'
  sending: number
}

/** The database of a run, with two users. While no node runs, it can be set back to what it was. */
export interface Database {
  readonly users: readonly User[]
  /** HR of the company of the first user, in a run with one. */
  readonly hr: UserNumber | undefined
  /** Where a node finds it. */
  configOf(node: number): Partial<Config>
  readonly hasBackup: boolean
  backUp(): Promise<void>
  restore(): Promise<void>
  /**
   * A node is killed at a moment of `work`, which is begun; `stop` ends it. Nobody hears what came of the work. Returns
   * whether what it answered is true.
   */
  kill(node: number, moment: Moment, work: () => Promise<unknown>, stop: () => Promise<void>): Promise<boolean>
  /** A node loses a connection at a moment of `work`. */
  sever(node: number, moment: Moment, work: () => Promise<Answer>): Promise<Answer>
  /** All nodes lose all connections. */
  severAll(): Promise<void>
  /** A standby takes its place, while nodes work. */
  failOver(work: () => Promise<unknown>): Promise<void>
  remove(): Promise<void>
}

/** Makes the database of a run. Its files, where it has some, lie in a folder. */
export type MakeDatabase = (folder: string, hasCompany: boolean) => Promise<Database>

/** The users of a run, and the number of HR where the first is a member of a company. */
export interface RunUsers {
  users: User[]
  hr: UserNumber | undefined
}

/** Makes the two users of every run in a new database, and for some a company. */
export async function addUsers(place: DatabaseLocation, hasCompany: boolean): Promise<RunUsers> {
  const [clock, random] = [{ now: () => START_MS }, chanceOf(0)]
  const stores = await openStores({ ...place, clock, random, as: 'service' })
  const { tokens } = userParts({ ...stores, clock, random, secret: random.token(32), publicUrl: undefined })
  const users: User[] = []
  for (const name of ['ada', 'ben']) {
    const at = instantOf(START_MS)
    const added = await stores.users.add({ email: `${name}@example.com`, passwordHash: 'none', at })
    if (added.outcome !== 'added') throw new Error(added.outcome)
    users.push({ id: added.user, token: (await tokens.create(added.user, 'simulation')).secret })
  }
  const passwordHash = await quickHashing.hash(HR.password)
  const members = users.slice(0, 1).map(({ id }) => id)
  const founding = { members, joined: JOINED, passwordHash, nowMs: START_MS } as const
  const hr = hasCompany ? await addCompany(stores, founding) : undefined
  await stores.close()
  return { users, hr }
}

/** Databases that are made once for all runs, without a company and with one. */
const templates = new Map<boolean, Promise<RunUsers & { file: string }>>()

async function makeTemplate(hasCompany: boolean): Promise<RunUsers & { file: string }> {
  const folder = makeFolder('template')
  const file = databaseFile({ dataDir: folder })
  const made = await addUsers({ file }, hasCompany)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return { file, ...made }
}

/** A SQLite file, which one node serves at a time. */
export const fileDatabase: MakeDatabase = async (dataDir, hasCompany) => {
  const { file: from, users, hr } = await templates.getOrInsertComputed(hasCompany, makeTemplate)
  const file = databaseFile({ dataDir })
  const backup = `${file}.backup`
  copyFileSync(from, file)
  return {
    users,
    hr,
    configOf: () => ({ dataDir }),
    get hasBackup() {
      return existsSync(backup)
    },
    backUp: async () => copyFileSync(file, backup),
    restore: async () => copyFileSync(backup, file),
    // Copies the files as a killed process leaves them: the log is not checkpointed.
    async kill(_node, { at }, work, stop) {
      const keep = () => {
        for (const end of ['', '-wal']) copyFileSync(file + end, `${file}.kept${end}`)
      }
      if (at === 'before') keep()
      await work()
      if (at === 'after') keep()
      await stop()
      for (const end of ['', '-wal']) copyFileSync(`${file}.kept${end}`, file + end)
      rmSync(`${file}-shm`, { force: true })
      return at === 'after'
    },
    sever: (_node, _moment, work) => work(),
    severAll: async () => {},
    failOver: async () => {},
    remove: async () => {},
  }
}
