import * as v from 'valibot'
import type { IdentifiedEntry } from '../account-function.ts'
import { addDaysWithinCalendar, yearOf } from '../date.ts'
import type { Settings } from '../settings.ts'
import type { Steps } from '../steps.ts'
import { settingsOn, type Timeline } from '../timeline.ts'
import { vacationSteps } from '../vacation.ts'
import { DateText, SignedMs } from '../validation.ts'
import type { LocalDate, RecordId } from '../values.ts'

/** The open points of somebody who leaves (D31.5); HR decides, and proposes changes. */
export const ExitSettlement = v.object({
  exit_date: DateText,
  balance_on: v.pipe(
    DateText,
    v.metadata({ description: 'The exit date, or the day before the present one while that is ahead.' }),
  ),
  balance_ms: v.pipe(SignedMs, v.metadata({ description: 'The balance at the end of `balance_on`.' })),
  vacation: v.pipe(
    v.nullable(v.object({ twelfths: v.number(), full: v.number() })),
    v.metadata({
      description:
        'Days left in the year of the exit: by the whole months until then, and of all of it. Working hours that begin ' +
        'and vacation that lies after the exit count for neither.',
    }),
  ),
  changes: v.pipe(
    v.array(v.unknown()),
    v.metadata({
      description:
        'Changes as a push has them: working hours of zero from the next day on, in place of all later ones.',
    }),
  ),
})
export type ExitSettlement = v.InferOutput<typeof ExitSettlement>

/** Returns the settings row that ends an account: no planned time and no vacation from the day after the exit on. */
export function endingSettings(timeline: Timeline<Settings>, exitDate: LocalDate, id: RecordId): Settings | undefined {
  const last = settingsOn(timeline, exitDate)
  if (!last) return undefined
  return {
    ...last,
    id,
    effective_from: addDaysWithinCalendar(exitDate, 1),
    target_ms: Array<number>(7).fill(0),
    vacation: null,
    note: '',
  }
}

/**
 * Returns in steps both readings of the vacation left on an exit date; null without a vacation account (D31.5). Working
 * hours and vacation that were planned for after the exit count for neither.
 */
export function* vacationAtExit(
  entries: readonly IdentifiedEntry[],
  timeline: Timeline<Settings>,
  ending: Settings,
  exitDate: LocalDate,
): Steps<ExitSettlement['vacation']> {
  const year = yearOf(exitDate)
  const had = timeline.filter(({ effective_from }) => effective_from <= exitDate)
  const booked = entries.filter((entry) => entry.kind !== 'vacation' || entry.date <= exitDate)
  const full = yield* vacationSteps(booked, had, exitDate, year)
  const twelfths = yield* vacationSteps(booked, [...had, ending], exitDate, year)
  return full && twelfths && { twelfths: twelfths.left, full: full.left }
}
