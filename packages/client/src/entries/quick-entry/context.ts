import {
  computeDay,
  type DurationMs,
  dayWindow,
  type Entry,
  type EntryContent,
  type EpochMs,
  type Interval,
  instantOf,
  isAbsence,
  isTimed,
  type LocalDate,
  netWorkMs,
  type Settings,
  settingsOn,
  type Timeline,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import type { ShownRecord } from '../../engine/shown-record.ts'
import { freeSlotIn } from '../free-slot.ts'
import { knownNames } from '../known-names.ts'
import { newEntry } from '../new-entry.ts'
import { type TimedRow, timedIn } from '../timed.ts'
import { timerMutations } from '../timer.ts'
import type { EntryMutation } from '../undoable.ts'
import type { Plan, QuickContext } from './plan.ts'

type Rows = readonly ShownRecord<Entry>[]

/** The days by which a line is read: `date` is that of a line that names none. */
export interface QuickEntryDay {
  date: LocalDate
  today: LocalDate
  /** With a row for every date, as `shownTimeline` returns. */
  timeline: Timeline<Settings>
}

/** Returns what a line is read by: settings, and all entries as they are shown. */
export function quickContextOf({ date, today, timeline }: QuickEntryDay, rows: Rows, nowMs: EpochMs): QuickContext {
  const records = rows.map(({ record }) => record)
  const daysByDate = new Map<LocalDate, { window: Interval; timed: TimedRow[] }>()
  const dayOn = (on: LocalDate) => {
    const window = dayWindow(timeline, on)
    const found = daysByDate.get(on) ?? { window, timed: timedIn(rows, window, nowMs) }
    daysByDate.set(on, found)
    return found
  }
  const zone = zoneOn(timeline, date)
  const place = (on: LocalDate, lengthMs: DurationMs) =>
    freeSlotIn({ date: on, today, zone, ...dayOn(on) }, lengthMs, nowMs)
  return {
    nowMs,
    today,
    defaultDate: date,
    timeline,
    projects: knownNames(records).projects,
    absences: records.filter(isAbsence),
    place,
    breakFor: (on, lengthMs) => {
      const rules = settingsOn(timeline, on)?.break_policy?.rules ?? []
      if (rules.length === 0) return 0
      const entries = dayOn(on).timed.map(({ record }): EntryContent => record)
      const countedMs = (all: readonly EntryContent[]) => netWorkMs(computeDay(all, timeline, on))
      const wantedMs = countedMs(entries) + lengthMs
      const choices = [0, ...rules.map(({ required_ms }) => required_ms)].toSorted((a, b) => a - b)
      const isEnough = (breakMs: DurationMs) =>
        countedMs([...entries, ...workOf(place(on, lengthMs + breakMs), breakMs, zoneOn(timeline, on))]) >= wantedMs
      return choices.find(isEnough) ?? 0
    },
  }
}

/** Returns work with a break in its middle. */
function workOf({ start, end }: Interval, breakMs: DurationMs, zone: ZoneName): EntryContent[] {
  const work = newEntry({ kind: 'work', ...timesOf(start, end, zone), counts: true })
  const from = start + (end - start - breakMs) / 2
  return breakMs === 0 ? [work] : [work, newEntry({ kind: 'break', ...timesOf(from, from + breakMs, zone) })]
}

function timesOf(start: EpochMs, end: EpochMs, time_zone: ZoneName) {
  return { started_at: instantOf(start), ended_at: instantOf(end), time_zone }
}

/** Returns the changes that store a plan. A timer that starts ends those that run. */
export function changesOfPlan(plan: Plan, rows: Rows, zone: ZoneName): EntryMutation[] {
  switch (plan.kind) {
    case 'entries':
      return plan.entries.map((content) => ({ op: 'create', content }))
    case 'absence':
      return plan.days.map((content) => ({ op: 'create', content }))
    case 'timer': {
      const timed = rows.map(({ record }) => record).filter(isTimed)
      const running = timed.filter(({ ended_at }) => ended_at === null)
      return timerMutations(running, plan.action, plan.startMs, zone, plan.text)
    }
  }
}
