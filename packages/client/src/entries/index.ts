/** Entries for programs that record time: quick entry, timer, absences, days. @module */
export {
  type AbsenceForm,
  type AbsenceProblem,
  absenceChanges,
  absenceFormOf,
  absenceProblemOf,
  checkedRange,
  planAbsence,
  plannedTotals,
  withFirstDay,
  withLastDay,
} from './absence-plan.ts'
export { breakPlace } from './break-place.ts'
export { FORGOTTEN_AFTER_MS } from './forgotten-after.ts'
export { forgottenTimer, runsTooLong, typedEnd, worksAtNight } from './forgotten-timer.ts'
export { freeSpan, freeTimeFromNine } from './free-slot.ts'
export { type KnownNames, knownNames } from './known-names.ts'
export { newEntry } from './new-entry.ts'
export {
  type AbsenceRecord,
  type GrantRecord,
  type PartInDay,
  partIn,
  stoppedAt,
  type TimedRecord,
} from './parts.ts'
export { readAbsenceKind } from './quick-entry/absence-kind.ts'
export { changesOfPlan, quickContextOf } from './quick-entry/context.ts'
export type { Plan, PlanProblem as QuickEntryProblem } from './quick-entry/plan.ts'
export { certainPlan, type PhraseReading, readQuickEntry } from './quick-entry/reading.ts'
export { readSubject, recentWork, subjectText, type WorkSubject } from './recent-work.ts'
export { type ShownTimeline, shownTimeline } from './shown-timeline.ts'
export { type TimedRow, timedIn } from './timed.ts'
export {
  actionToReach,
  type TimerAction,
  type TimerState,
  timerActions,
  timerMutations,
  timerState,
} from './timer.ts'
export {
  type EntryMutation,
  entriesAfter,
  haveChangedSince,
  mutationsOf,
  type Undoable,
  undoableMutations,
} from './undoable.ts'
export { clockText, instantAt, type WallMinutes, wallAt } from './wall-time.ts'
