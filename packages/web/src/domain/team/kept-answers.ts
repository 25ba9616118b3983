import { RejectedError } from '@saldo/client'
import { DAY_MS, type EpochMs, type UserNumber } from '@saldo/core'

/** Team answers stay on a device for so long (D30.3). */
const KEPT_MS = 7 * DAY_MS
const PREFIX = 'saldo.team.'

/** An answer of the team, and when the service gave it. */
export interface KeptAnswer<Answer> {
  atMs: EpochMs
  answer: Answer
}

type Storage = Pick<globalThis.Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

const keyOf = (user: UserNumber, name: string) => `${PREFIX}${name}.${user}`

/** Keeps an answer on this device, apart from records. One that finds no room is not kept. */
export function keepAnswer(storage: Storage, user: UserNumber, name: string, kept: KeptAnswer<unknown>): void {
  try {
    storage.setItem(keyOf(user, name), JSON.stringify(kept))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    forgetAnswers(storage, user)
  }
}

/** Returns an answer that is at most seven days old. */
export function keptAnswer<Answer>(
  storage: Storage,
  user: UserNumber,
  name: string,
  nowMs: EpochMs,
): KeptAnswer<Answer> | undefined {
  const text = storage.getItem(keyOf(user, name))
  if (text === null) return undefined
  const kept = JSON.parse(text) as KeptAnswer<Answer>
  return isRecent(kept, nowMs) ? kept : undefined
}

/** Deletes the answers of a user: all of them, or those that are older than seven days. */
export function forgetAnswers(storage: Storage, user: UserNumber, olderAtMs?: EpochMs): void {
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  for (const key of keys.filter((key) => key.startsWith(PREFIX) && key.endsWith(`.${user}`))) {
    const isOld = () => !isRecent(JSON.parse(storage.getItem(key) ?? '') as KeptAnswer<unknown>, olderAtMs ?? 0)
    if (olderAtMs === undefined || isOld()) storage.removeItem(key)
  }
}

function isRecent({ atMs }: KeptAnswer<unknown>, nowMs: EpochMs): boolean {
  return nowMs - atMs <= KEPT_MS
}

/** True if an error says that a role or membership has ended, so that its answers must not stay (D30.3). */
export function isEnded(error: unknown): boolean {
  return error instanceof RejectedError && ['forbidden', 'not_found'].includes(error.problem.code)
}
