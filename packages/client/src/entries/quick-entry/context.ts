import {
  dayWindow,
  type Entry,
  type EpochMs,
  isAbsence,
  isTimed,
  type LocalDate,
  type Settings,
  type Timeline,
  type ZoneName,
  zoneOn,
} from '@saldo/core'
import type { ShownRecord } from '../../engine/shown-record.ts'
import { type FreeSlot, freeSlotIn } from '../free-slot.ts'
import { knownNames } from '../known-names.ts'
import { timedIn } from '../timed.ts'
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
  const daysByDate = new Map<LocalDate, Pick<FreeSlot, 'window' | 'timed'>>()
  const dayOn = (on: LocalDate) => {
    const window = dayWindow(timeline, on)
    const found = daysByDate.get(on) ?? { window, timed: timedIn(rows, window, nowMs) }
    daysByDate.set(on, found)
    return found
  }
  const zone = zoneOn(timeline, date)
  return {
    nowMs,
    today,
    defaultDate: date,
    timeline,
    projects: knownNames(records).projects,
    absences: records.filter(isAbsence),
    place: (on, lengthMs) => freeSlotIn({ date: on, today, zone, ...dayOn(on) }, lengthMs, nowMs),
  }
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
