import { type DateRange, datesIn, intersection, type LocalDate, mergeRanges } from '@saldo/core'

/** The dates of a member of a group: those of the memberships, and those on which the member is away. */
export interface StaffedMember {
  memberDates: readonly DateRange[]
  awayDates: readonly DateRange[]
}

/** Returns how many members of a group are there on each date of a range; each member is visited once, not each day. */
export function presentByDate(range: DateRange, members: readonly StaffedMember[]): Map<LocalDate, number> {
  const dates = [...datesIn(range)]
  const placeOf = new Map(dates.map((date, place) => [date, place]))
  // Each place has the change of the number from the date before.
  const changes = new Array<number>(dates.length + 1).fill(0)
  const count = (counted: DateRange, by: number) => {
    const { from, to } = intersection(counted, range)
    if (from > to) return
    const [first, last] = [placeOf.get(from) ?? 0, placeOf.get(to) ?? 0]
    changes[first] = (changes[first] ?? 0) + by
    changes[last + 1] = (changes[last + 1] ?? 0) - by
  }
  for (const { memberDates, awayDates } of members) {
    const away = mergeRanges(awayDates)
    for (const membership of mergeRanges(memberDates)) {
      count(membership, 1)
      for (const dates of away) count(intersection(dates, membership), -1)
    }
  }
  let present = 0
  return new Map(
    dates.map((date, place) => {
      present += changes[place] ?? 0
      return [date, present]
    }),
  )
}
