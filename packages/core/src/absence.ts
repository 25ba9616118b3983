import { type DayUnits, UNITS_PER_DAY } from './day-units.ts'
import type { AbsenceContent, AbsenceSize } from './entry.ts'
import type { DurationMs } from './values.ts'

/** The fields of an absence that the account reads. */
export type Absence = Pick<AbsenceContent, 'kind'> & AbsenceSize

/** A whole in billionths, in which shares are counted so that every implementation rounds alike. */
const WHOLE = 1_000_000_000n

/** The order in which absences of one date fill the day; what is beyond a whole day does not count (D3.13). */
const fillOrder: readonly Absence['kind'][] = ['public_holiday', 'sick', 'vacation', 'paid_other', 'unpaid']
/** Kinds to which those behind them give their day: somebody who falls ill in their vacation keeps the vacation. */
const displacingKinds = new Set<Absence['kind']>(['public_holiday', 'sick'])
const creditedKinds = new Set<Absence['kind']>(['sick', 'paid_other'])

/**
 * The parts of a date's planned time that absences take, together at most all of it, in billionths of a millisecond.
 * Shares of the day and amounts of time are both whole numbers of these, so that nothing is rounded.
 */
export interface AbsenceParts {
  /** Taken off the target: public holidays, vacation, unpaid leave. */
  reducing: bigint
  /** Credited up to the target: sickness and other paid absence. */
  crediting: bigint
}

/** Returns the parts that absences ask for, added up, each at most a day (D3.51, D14.6). */
function sumParts(absences: readonly Absence[], plannedMs: DurationMs): bigint {
  const partOf = ({ day_share, amount_ms }: Absence) =>
    amount_ms === null
      ? BigInt(Math.round(day_share * Number(WHOLE))) * BigInt(plannedMs)
      : BigInt(Math.min(amount_ms, plannedMs)) * WHOLE
  return absences.reduce((sum, absence) => sum + partOf(absence), 0n)
}

/** Returns the part that each kind of absence takes of a date, filled in their order (D3.13, D3.14). */
function partsByKind(absences: readonly Absence[], plannedMs: DurationMs): Map<Absence['kind'], bigint> {
  let left = BigInt(plannedMs) * WHOLE
  return new Map(
    fillOrder.map((kind) => {
      const requested = sumParts(
        absences.filter((absence) => absence.kind === kind),
        plannedMs,
      )
      const part = requested < left ? requested : left
      left -= part
      return [kind, part]
    }),
  )
}

/** Returns the parts that the absences of one date take. */
export function absenceParts(absences: readonly Absence[], plannedMs: DurationMs): AbsenceParts {
  const parts = { reducing: 0n, crediting: 0n }
  // Most dates have no absence.
  if (absences.length === 0) return parts
  for (const [kind, part] of partsByKind(absences, plannedMs)) {
    if (creditedKinds.has(kind)) parts.crediting += part
    else parts.reducing += part
  }
  return parts
}

/** Returns a part in milliseconds, rounded half up (D3.11). */
function rounded(part: bigint): DurationMs {
  return Number((2n * part + WHOLE) / (2n * WHOLE))
}

/** The time and the share of a day that the absences of one kind take of a date. */
export interface AbsenceTime {
  kind: Absence['kind']
  ms: DurationMs
  /** From 0 to 1. */
  days: number
}

/**
 * Returns the time that each kind of absence takes of a date, filled in their order (D3.13); time off in lieu, which
 * takes none of the others' part, comes last. Of a date without planned time there is nothing.
 */
export function absenceTimes(absences: readonly Absence[], plannedMs: DurationMs): AbsenceTime[] {
  if (plannedMs === 0 || absences.length === 0) return []
  const inLieu = absences.filter(({ kind }) => kind === 'time_off_in_lieu')
  const whole = BigInt(plannedMs) * WHOLE
  const inLieuPart = sumParts(inLieu, plannedMs)
  const parts = partsByKind(absences, plannedMs).set('time_off_in_lieu', inLieuPart < whole ? inLieuPart : whole)
  return [...parts]
    .filter(([, part]) => part > 0n)
    .map(([kind, part]) => ({
      kind,
      ms: rounded(part),
      days: Number(part) / Number(whole),
    }))
}

/** Returns the share of a date that vacation takes among its absences (D17.3); nothing where no work is planned. */
export function vacationShare(absences: readonly Absence[], plannedMs: DurationMs): DayUnits {
  if (plannedMs === 0) return 0n
  const part = partsByKind(absences, plannedMs).get('vacation') ?? 0n
  const whole = BigInt(plannedMs) * WHOLE
  return (2n * part * UNITS_PER_DAY + whole) / (2n * whole)
}

/** True if an absence of a kind gives its part of the day to another, by the order of D3.13 (D2.39). */
export function givesWayTo(kind: Absence['kind'], other: Absence['kind']): boolean {
  return displacingKinds.has(other) && rankOf(kind) > rankOf(other)
}

/** Time off in lieu takes no part of the day, and comes last. */
function rankOf(kind: Absence['kind']): number {
  const rank = fillOrder.indexOf(kind)
  return rank === -1 ? fillOrder.length : rank
}

/**
 * Returns the absences of a date that are more than the day has, and of which none gives way to the others (D2.39).
 * Where no work is planned, an amount is no part of the day.
 */
export function absencesBeyondDay<T extends Absence>(absences: readonly T[], plannedMs: DurationMs): T[] {
  const groups = Map.groupBy(absences, ({ kind }) => (displacingKinds.has(kind) ? kind : 'leave'))
  return [...groups.values()].flatMap((group) => (exceedsDay(group, plannedMs) ? group : []))
}

function exceedsDay(absences: readonly Absence[], plannedMs: DurationMs): boolean {
  if (plannedMs > 0) return sumParts(absences, plannedMs) > BigInt(plannedMs) * WHOLE
  const shares = absences.filter(({ amount_ms }) => amount_ms === null)
  return sumParts(shares, 1) > WHOLE
}

/** Returns the share of a day that an absence asks for, from 0 to 1: for display and for counting days. */
export function shareOfDay({ day_share, amount_ms }: AbsenceSize, plannedMs: DurationMs): number {
  if (amount_ms === null) return day_share
  return plannedMs === 0 ? 0 : Math.min(1, amount_ms / plannedMs)
}

/**
 * Returns target and credit of a date: with t the planned time, w the net work and R and C the reducing and the
 * crediting share, `target = t·(1−R)` and `credited = max(0, t·C − max(0, w − t·(1−R−C)))`, products rounded half up
 * (D3.11, D3.12).
 */
export function targetAndCredit(
  plannedMs: DurationMs,
  netWorkMs: DurationMs,
  { reducing, crediting }: AbsenceParts,
): { targetMs: DurationMs; creditedMs: DurationMs } {
  if (reducing === 0n && crediting === 0n) return { targetMs: plannedMs, creditedMs: 0 }
  const planned = BigInt(plannedMs) * WHOLE
  const beyondMs = Math.max(0, netWorkMs - rounded(planned - reducing - crediting))
  return { targetMs: rounded(planned - reducing), creditedMs: Math.max(0, rounded(crediting) - beyondMs) }
}
