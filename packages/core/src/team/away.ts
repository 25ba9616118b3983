import type { absenceKinds } from '../choices.ts'
import { type DateRange, datesIn, intersection, mergeRanges } from '../date-range.ts'
import type { LocalDate } from '../values.ts'
import { joinedDates, type TeamFacts } from './facts.ts'
import type { CompanyPolicy } from './policy.ts'
import type { AwayDates } from './team-wire.ts'
import { type FactOwner, sightOf, type Viewer } from './visibility.ts'

type AbsenceKind = (typeof absenceKinds)[number]

/** The most dates of one page of who is away. */
export const MAX_AWAY_DAYS = 400

/**
 * Returns the dates of a range on which a viewer sees somebody away, in order. It depends on what the viewer sees
 * alone: facts that differ only in what is hidden give the same dates (D25.6).
 */
export function awayDates(
  viewer: Viewer,
  owner: FactOwner,
  facts: TeamFacts,
  range: DateRange,
  policy: CompanyPolicy,
): AwayDates[] {
  const seen = new Map<LocalDate, AwayDates>()
  for (const isPlanned of [true, false]) {
    const asking = facts.requests.filter((request) => request.isPlanned === isPlanned)
    // Each date is looked at once, however many requests have it.
    for (const date of datesWithin(mergeRanges(asking.flatMap(({ days }) => days)), range)) {
      const sight = sightOf(viewer, owner, { kind: 'request', date, isPlanned }, policy)
      if (sight !== 'nothing') seen.set(date, { from: date, to: date, sight: 'asked' })
    }
  }
  for (const { isWholeDay, kinds, ...dates } of facts.absences) {
    for (const date of datesWithin([dates], range)) {
      const sights = kinds.map((absence) =>
        sightOf(viewer, owner, { kind: 'absence', date, absence, isWholeDay }, policy),
      )
      if (sights.includes('nothing')) continue
      const [kind] = kinds
      // Of several kinds none is named: one that is hidden would show in what the others leave.
      const named = kinds.length === 1 && (sights[0] === 'kind' || sights[0] === 'all') ? kind : undefined
      seen.set(date, awayOn(date, isWholeDay, named))
    }
  }
  const inOrder = [...seen.values()].toSorted((a, b) => (a.from < b.from ? -1 : 1))
  return joinedDates(inOrder)
}

function awayOn(date: LocalDate, isWholeDay: boolean, kind: AbsenceKind | undefined): AwayDates {
  return { from: date, to: date, sight: isWholeDay ? 'away' : 'part', ...(kind && { kind }) }
}

function datesWithin(ranges: readonly DateRange[], range: DateRange): LocalDate[] {
  return ranges.flatMap((each) => [...datesIn(intersection(each, range))])
}

/** Returns the dates on which both have a membership in a group whose members see each other (D25.4). */
export function sharedDates(
  viewers: readonly { groupId: number; dates: DateRange }[],
  owners: readonly { groupId: number; dates: DateRange }[],
): DateRange[] {
  return viewers.flatMap((viewer) =>
    owners.flatMap((owner) => {
      if (viewer.groupId !== owner.groupId) return []
      const shared = intersection(viewer.dates, owner.dates)
      return shared.from <= shared.to ? [shared] : []
    }),
  )
}
