import { InvalidRecordError, type Saldo, type ShownRecord, type Status, StoreError, systemRandom } from '@saldo/client'
import { type EntryMutation, mutationsOf, shownTimeline } from '@saldo/client/entries'
import { dateAt, type Entry, type LocalDate, type Settings, type Timeline, type ZoneName, zoneOn } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { print, printJson, printNotice } from '../output.ts'
import { nowMs } from '../system.ts'
import { openDevice, type UserDevice, unusableCopy } from './open-device.ts'
import { readSignIn, type StoredSignIn } from './sign-in-file.ts'
import { counted } from './text.ts'

/** Options of every command of a user. */
export interface UserOptions {
  json?: true
  /** True to send no request. */
  offline?: true
}

/** The longest time that a command waits for the service. */
const MOMENT_MS = 1_000

/** The account as a command sees it. */
export interface DeviceSession {
  saldo: Saldo
  nowMs: number
  /** With a row for every date. */
  timeline: Timeline<Settings>
  today: LocalDate
  zone: ZoneName
}

/** The result of a command: lines for people, and the same as JSON. */
export interface Output {
  lines: readonly string[]
  json: object
}

type Entries = readonly ShownRecord<Entry>[]

/** Returns the stored account. Throws `CommandError` if nobody is signed in. */
export function requireAccount(): StoredSignIn {
  const account = readSignIn()
  if (!account) throw new CommandError('sign in first: saldo login https://saldo.example', 1)
  return account
}

/** Shows something of the account, after a moment of sync. */
export function show(options: UserOptions, query: (session: DeviceSession) => Promise<Output>): Promise<void> {
  return withDevice(async (device) => {
    if (!options.offline) await device.syncWithin(MOMENT_MS)
    const output = await query(await sessionOf(device))
    await present(device, output, options)
  })
}

/** Records something on this computer, says so, and then tries for a moment to send it. */
export function record(options: UserOptions, mutate: (session: DeviceSession) => Promise<Output>): Promise<void> {
  return withDevice(async (device) => {
    const output = await mutate(await sessionOf(device)).catch((error: unknown) => {
      if (!(error instanceof InvalidRecordError)) throw error
      throw new CommandError(error.errors.map(({ pointer, detail }) => `${pointer.slice(1)} ${detail}`).join('; '), 2)
    })
    if (!options.json) for (const line of output.lines) print(line)
    if (!options.offline) await device.syncWithin(MOMENT_MS)
    await present(device, { ...output, lines: [] }, options)
  })
}

export async function withDevice<T>(work: (device: UserDevice) => Promise<T>): Promise<T> {
  const device = await openDevice(requireAccount())
  try {
    return await work(device)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw unusableCopy(error)
  } finally {
    await device.close()
  }
}

/** Returns the account as it is on this computer, at this moment. */
export async function sessionOf({ saldo }: UserDevice): Promise<DeviceSession> {
  const settings = (await saldo.settings.all().read()).map((row) => row.record)
  const { timeline } = shownTimeline(settings, Intl.DateTimeFormat().resolvedOptions().timeZone)
  const at = nowMs()
  const today = dateAt(timeline, at)
  return { saldo, nowMs: at, timeline, today, zone: zoneOn(timeline, today) }
}

/** Stores changes on this computer, all of them or none. Throws `InvalidRecordError`. */
export async function store({ saldo }: DeviceSession, changes: readonly EntryMutation[]): Promise<void> {
  await saldo.entries.queueAll(mutationsOf(changes, () => systemRandom.uuid()))
}

/** Prints a result on standard output, and on standard error what keeps it from being in sync. */
async function present({ saldo }: UserDevice, { lines, json }: Output, options: UserOptions): Promise<void> {
  const status = await saldo.status.read()
  if (options.json) printJson({ ...json, sync: syncFacts(status) })
  else for (const line of lines) print(line)
  if (!options.offline) for (const line of syncNotices(status)) printNotice(line)
}

/** The facts about the sync in each JSON output. Times are in milliseconds since 1970. */
export function syncFacts(status: Status): object {
  const { unsent, rejected, conflicts, lastSuccessMs } = status
  return { state: syncState(status), unsent, rejected, conflicts, last_success_ms: lastSuccessMs }
}

export function syncState({ needsSignIn, state }: Status): 'synced' | 'offline' | 'sign_in_needed' {
  if (needsSignIn) return 'sign_in_needed'
  return state === 'idle' ? 'synced' : 'offline'
}

/** Returns what a person should know about the sync; nothing if all is well. */
export function syncNotices(status: Status): string[] {
  const { unsent, rejected, lastSuccessMs } = status
  const notices: string[] = []
  const state = syncState(status)
  const waiting = unsent ? `${counted(unsent, 'change')} on this computer only` : 'nothing waits to be sent'
  if (state === 'sign_in_needed') notices.push('the service rejects the token: run «saldo login» again')
  if (state === 'offline') {
    const since = lastSuccessMs === null ? 'never synced' : `last sync ${new Date(lastSuccessMs).toISOString()}`
    notices.push(`offline: ${waiting}, ${since}`)
  }
  if (rejected)
    notices.push(`the service rejected ${counted(rejected, 'change')}: «saldo log» and «saldo sync» say why`)
  return notices
}

/** Returns all entries as they are shown, with unsent changes. */
export function allEntries({ saldo }: DeviceSession): Promise<Entries> {
  return saldo.entries.all().read()
}
