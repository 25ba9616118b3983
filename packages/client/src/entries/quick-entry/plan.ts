import type {
  AbsenceContent,
  DateRange,
  DurationMs,
  EpochMs,
  Interval,
  LocalDate,
  Settings,
  TimedEntryContent,
  Timeline,
} from '@saldo/core'
import type { AbsenceRecord } from '../parts.ts'
import type { PhrasePart } from './phrase-parts.ts'
import type { EntryText } from './texts.ts'

/** The records that a line stores if the user agrees. */
export type Plan =
  /**
   * Finished entries in the order of their starts. `isPlaced` if the line does not say when some of them are;
   * `freeCount` days of a range have no target and are left out.
   */
  | { kind: 'entries'; entries: TimedEntryContent[]; isPlaced: boolean; newProjects: string[]; freeCount: number }
  /** A timer that starts now or did so earlier. */
  | { kind: 'timer'; action: 'start' | 'break'; startMs: EpochMs; text: EntryText }
  /**
   * Days off of one kind. `range` spans them, `freeCount` of its days have no target and are left out; on
   * `replacedCount` of them another absence gives way. `isDayOff` if its only day has no target.
   */
  | {
      kind: 'absence'
      days: AbsenceContent[]
      range: DateRange
      freeCount: number
      replacedCount: number
      isDayOff: boolean
    }

/** The reason why a line means nothing. */
export type PlanProblem =
  | 'empty'
  | 'lineTooLong'
  | 'noTime'
  | 'noEnd'
  | 'noStart'
  | 'noFrom'
  | 'noUntil'
  | 'noBreakLength'
  | 'breakTooLong'
  | 'noDate'
  | 'whichDay'
  | 'noDays'
  | 'weekdayDiffers'
  | 'overlap'
  | 'noFit'
  | 'tooLong'
  | 'absenceTime'
  | 'allOff'

/** The plans that parts can mean, the likeliest first, or the reason why they mean nothing. */
export type PlanOutcome = Plan[] | PlanProblem

export interface QuickContext {
  nowMs: EpochMs
  today: LocalDate
  /** The date of a line that names none. */
  defaultDate: LocalDate
  /** Time zones and planned hours. */
  timeline: Timeline<Settings>
  /** Names of the projects that there are. */
  projects: readonly string[]
  /** The absences of the dates that a line is about. */
  absences: readonly AbsenceRecord[]
  /** Where a length of work without times belongs on a date. */
  place(date: LocalDate, lengthMs: number): Interval
  /** The break that the rules of a date ask for inside work of a length, so that all of it counts; 0 for none. */
  breakFor(date: LocalDate, lengthMs: DurationMs): DurationMs
}

export const TIMED_PARTS: ReadonlySet<PhrasePart['is']> = new Set<PhrasePart['is']>([
  'range',
  'breakRange',
  'since',
  'until',
  'ago',
  'length',
  'breakLength',
  'partOfDay',
])
