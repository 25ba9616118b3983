/** Entries for programs that record time: quick entry, timer, absences, days. @module */
export {
  type AbsenceDraft,
  type AbsencePlan,
  type AbsenceProblem,
  absenceChanges,
  checkedRange,
  draftOfAbsence,
  planAbsence,
  plannedTotals,
  problemOf,
  withFirstDay,
  withLastDay,
} from './absence-plan.ts'
export { isSize, sizeLeft, sizeOfAmount, sizeOfShare, WHOLE_DAY } from './absence-size.ts'
export { breakPlace } from './break-place.ts'
export { type Change, mutationsOf, type Step, stepOfChanges } from './changes.ts'
export { FORGOTTEN_AFTER_MS, forgottenTimer, runsTooLong, typedEnd, worksAtNight } from './forgotten-timer.ts'
export { type KnownNames, knownNames } from './known-names.ts'
export {
  type AbsenceRecord,
  type GrantRecord,
  isAbsenceRecord,
  isGrantRecord,
  isTimedRecord,
  type PartInDay,
  partIn,
  stoppedAt,
  type TimedRecord,
} from './parts.ts'
export { freeSpan } from './place.ts'
export { changesOfPlan, quickContextOf } from './quick-entry/context.ts'
export type { Plan, Problem as QuickEntryProblem } from './quick-entry/plan.ts'
export { certainPlan, type Reading, readQuickEntry } from './quick-entry/reading.ts'
export { readAbsenceKind, readDates, readMoment } from './quick-entry/single-values.ts'
export { readSubject, recentWork, subjectText, type WorkSubject } from './recent-work.ts'
export { type ShownTimeline, shownTimeline } from './shown-timeline.ts'
export { type TimedRow, timedIn } from './timed.ts'
export {
  type TimerState,
  type TimerVerb,
  timerChanges,
  timerState,
  timerVerbs,
  verbToReach,
  withChanges,
} from './timer.ts'
export { clockText, instantAt, readTime, wallAt } from './wall-time.ts'
