import { stoppedAt, type TimedRecord, timerState } from '@saldo/client/entries'
import {
  addDays,
  computeDay,
  type Entry,
  type EpochMs,
  entriesByDate,
  isTimed,
  type LocalDate,
  plannedOn,
  type Timeline,
} from '@saldo/core'
import type { ReminderKind } from '../../context/preferences.ts'
import { leaveTime } from '../../domain/entries/leave-time.ts'

/** A reminder of something. The same thing has the same key. */
interface Reminder {
  kind: ReminderKind
  key: string
}

/** The days before today in which a day without entries is looked for. */
export const DAYS_BACK = 7

interface Situation {
  /** The entries of today and of the last `DAYS_BACK` days. */
  entries: readonly Entry[]
  timeline: Timeline
  today: LocalDate
  /** The timer that may be forgotten. */
  forgotten: TimedRecord | undefined
}

/**
 * Returns what is worth a reminder now: work without a break that the rules deduct, the day's target reached by running
 * work, no entry on the last day with a target, and a forgotten timer.
 */
export function dueReminders({ entries, timeline, today, forgotten }: Situation, nowMs: EpochMs): Reminder[] {
  const due: Reminder[] = []
  const state = timerState(entries.filter(isTimed))
  if (state.kind === 'working' && !forgotten) {
    const isBreakDue = computeDay(stoppedAt(entries, nowMs), timeline, today).deducted_break_ms > 0
    if (isBreakDue) due.push({ kind: 'break', key: `break ${state.entry.id}` })
    const isReached = leaveTime(entries, timeline, today, nowMs)?.kind === 'reached'
    if (isReached) due.push({ kind: 'target', key: `target ${today}` })
  }
  const lastDay = lastPlannedDay(timeline, today)
  const isMissing = lastDay && !entriesByDate(entries, timeline, { from: lastDay, to: lastDay }).get(lastDay)?.length
  if (isMissing) due.push({ kind: 'missing', key: `missing ${lastDay}` })
  if (forgotten) due.push({ kind: 'forgotten', key: `forgotten ${forgotten.id}` })
  return due
}

function lastPlannedDay(timeline: Timeline, today: LocalDate): LocalDate | undefined {
  const days = Array.from({ length: DAYS_BACK }, (_, index) => addDays(today, -1 - index))
  return days.find((date) => plannedOn(timeline, date) > 0)
}

/** Shows a notification of the device; another one of the same key replaces it. */
export async function notify(title: string, body: string, key: string): Promise<void> {
  const options = { body, tag: key, icon: '/icon-192.png' }
  const worker = await navigator.serviceWorker?.getRegistration()
  // Phones show notifications of service workers only.
  if (worker) await worker.showNotification(title, options)
  else new Notification(title, options)
}

const MOST_KEYS = 20
const storageKey = (user: number) => `saldo.shown-reminders.${user}`

/** Returns true once for each of the latest keys of a user on this device. */
export function isNewReminder(user: number, key: string): boolean {
  const keys = JSON.parse(localStorage.getItem(storageKey(user)) ?? '[]') as string[]
  if (keys.includes(key)) return false
  localStorage.setItem(storageKey(user), JSON.stringify([...keys, key].slice(-MOST_KEYS)))
  return true
}
