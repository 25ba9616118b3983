import {
  type Cause,
  type DateRange,
  GENERATED_AT,
  hasDate,
  isTimed,
  itemAt,
  type LocalDate,
  mergeRanges,
  rangeAround,
  weekOf,
} from '@saldo/core'
import { liveFieldsOf } from '../store/stored-records.ts'
import { isOf, type ReplacedRecord } from './context.ts'

/** The fields that are equal in all changes of a cause. */
type CauseSort = Pick<Cause, 'kind' | 'entry_type' | 'op'>

/**
 * Returns a change as a cause. An entry that moves to another week is two, one for the dates in each, so that no week
 * counts a change twice.
 */
export function causesOfChange(replaced: ReplacedRecord, affected: readonly DateRange[]): Cause[] {
  const spans: DateRange[] = []
  for (const range of mergeRanges(affected)) {
    const last = spans.at(-1)
    if (last && weekOf(range.from) === weekOf(last.to)) last.to = range.to
    else spans.push(range)
  }
  return spans.map((span) => ({ ...sortOf(replaced), count: 1, id: replaced.after.id, ...span }))
}

function sortOf(replaced: ReplacedRecord): CauseSort {
  const { kind } = replaced.after
  const op = opOf(replaced)
  if (!isOf('entries')(replaced)) return { kind, entry_type: null, op }
  return { kind, entry_type: entryTypeOf(replaced), op: op === 'create' && isImported(replaced) ? 'import' : op }
}

/** Returns the type of an entry; a deleted one has that from before. */
function entryTypeOf({ before, after }: ReplacedRecord<'entries'>): Cause['entry_type'] {
  const entry = liveFieldsOf(after) ?? liveFieldsOf(before)
  if (!entry || isTimed(entry)) return 'timed'
  return entry.kind === 'public_holiday' ? 'public_holiday' : 'absence'
}

function opOf({ before, after }: ReplacedRecord): Cause['op'] {
  if (after.deleted) return 'delete'
  if (before) return before.deleted ? 'restore' : 'update'
  return 'create'
}

/** True if an entry comes from another program. What is generated has a reference, too. */
function isImported({ after }: ReplacedRecord<'entries'>): boolean {
  return liveFieldsOf(after)?.import_ref != null && after.updatedAt !== GENERATED_AT
}

/**
 * Returns the causes that affect any of the dates, those of each sort as one (D3.31). If none does, it returns all: a
 * day that earlier settings bring into a week is closed with the next recomputation of the week, whatever causes it.
 */
export function causesOn(causes: readonly Cause[], dates: readonly LocalDate[]): Cause[] {
  const affecting = causes.filter((cause) => dates.some((date) => hasDate(cause, date)))
  return [...Map.groupBy(affecting.length > 0 ? affecting : causes, sortNameOf).values()].map(sumOf)
}

/** Sums causes of the same sort and the same weeks, so that a job keeps few. */
export function sumByWeeks(causes: readonly Cause[]): Cause[] {
  const weeksOf = ({ from, to }: Cause) => `${weekOf(from)} ${weekOf(to)}`
  return [...Map.groupBy(causes, (cause) => `${sortNameOf(cause)} ${weeksOf(cause)}`).values()].map(sumOf)
}

/** Sums neighbours of the same sort until there are at most `max` causes, which is more than there are sorts. */
export function sumToAtMost(causes: readonly Cause[], max: number): Cause[] {
  if (causes.length <= max) return [...causes]
  const pairs = [...Map.groupBy(causes, sortNameOf).values()].flatMap((ofSort) => {
    const inOrder = ofSort.toSorted((a, b) => (a.from < b.from ? -1 : 1))
    return inOrder.flatMap((_, index) => (index % 2 === 0 ? [sumOf(inOrder.slice(index, index + 2))] : []))
  })
  return sumToAtMost(pairs, max)
}

function sortNameOf({ kind, entry_type, op }: CauseSort): string {
  return `${kind} ${entry_type} ${op}`
}

/** Sums causes of one sort, of which the last names its record. */
function sumOf(same: readonly Cause[]): Cause {
  const count = same.reduce((sum, cause) => sum + cause.count, 0)
  return { ...itemAt(same, same.length - 1), ...rangeAround(same), count }
}
