import type { EntryContent } from '../src/record.ts'
import type { SettingsRow } from '../src/timeline.ts'

const MINUTE_MS = 60_000

/** The figures of a day that the model reckons, in milliseconds. */
export interface ModelDay {
  target_ms: number
  worked_ms: number
  break_ms: number
  deducted_break_ms: number
  credited_ms: number
  delta_ms: number
  settings_id: string | null
}

/**
 * D3 read aloud, minute by minute, and slow: every minute of the day is asked what it was. It shares no code with the
 * account. Entries, break rules and the offsets of the zones must lie on whole minutes.
 */
export function modelDay(entries: readonly EntryContent[], rows: readonly SettingsRow[], date: string): ModelDay {
  const row = rowInForce(rows, date)
  if (!row) {
    const zeros = { target_ms: 0, worked_ms: 0, break_ms: 0, deducted_break_ms: 0, credited_ms: 0, delta_ms: 0 }
    return { ...zeros, settings_id: null }
  }
  const workMinutes: boolean[] = []
  let breakMinutes = 0
  const end = startOf(rows, dayAfter(date, 1))
  for (let minute = startOf(rows, date); minute < end; minute += MINUTE_MS) {
    const is = (kind: string) =>
      entries.some(
        (entry) =>
          entry.kind === kind &&
          'started_at' in entry &&
          typeof entry.ended_at === 'string' &&
          Date.parse(entry.started_at as string) <= minute &&
          minute < Date.parse(entry.ended_at),
      )
    const onBreak = is('break')
    if (onBreak) breakMinutes += 1
    workMinutes.push(is('work') && !onBreak)
  }
  const worked = workMinutes.filter((atWork) => atWork).length
  const deducted = row.break_policy
    ? deduction(row.break_policy, worked, breaksTaken(row.break_policy, workMinutes))
    : 0
  const { target, credited } = absences(entries, row, date, (worked - deducted) * MINUTE_MS)
  return {
    target_ms: target,
    worked_ms: worked * MINUTE_MS,
    break_ms: breakMinutes * MINUTE_MS,
    deducted_break_ms: deducted * MINUTE_MS,
    credited_ms: credited,
    delta_ms: (worked - deducted) * MINUTE_MS + credited - target,
    settings_id: row.id,
  }
}

/** The latest row not after a date, ties by later created_at, then greater id (D2). */
export function rowInForce(rows: readonly SettingsRow[], date: string): SettingsRow | undefined {
  let best: SettingsRow | undefined
  for (const row of rows) {
    if (row.effective_from > date) continue
    const key = ({ effective_from, created_at, id }: SettingsRow) => `${effective_from} ${created_at} ${id}`
    if (!best || key(row) > key(best)) best = row
  }
  return best
}

function dayAfter(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}

/** The later of the first instants of the date and the date before, each in the zone in force on it. */
function startOf(rows: readonly SettingsRow[], date: string): number {
  const first = (day: string) => firstMinute(day, zoneInForce(rows, day))
  return Math.max(first(date), first(dayAfter(date, -1)))
}

function zoneInForce(rows: readonly SettingsRow[], date: string): string {
  const earliest = rows.map(({ effective_from }) => effective_from).sort()[0] ?? date
  const zone = rowInForce(rows, date < earliest ? earliest : date)?.time_zone
  return zone ?? 'UTC'
}

const firstMinutes = new Map<string, number>()

/** The first minute at which a clock of the zone shows the date, or a later one where it never shows the date. */
function firstMinute(date: string, zone: string): number {
  const known = firstMinutes.get(`${zone} ${date}`)
  if (known !== undefined) return known
  const day = Temporal.PlainDate.from(date)
  let at = Temporal.Instant.fromEpochMilliseconds(Date.parse(date) - 16 * 60 * MINUTE_MS)
  while (Temporal.PlainDate.compare(at.toZonedDateTimeISO(zone).toPlainDate(), day) < 0) at = at.add({ minutes: 1 })
  firstMinutes.set(`${zone} ${date}`, at.epochMilliseconds)
  return at.epochMilliseconds
}

/** The minutes of the pauses between work that are long enough to count. */
function breaksTaken({ min_piece_ms }: NonNullable<SettingsRow['break_policy']>, workMinutes: boolean[]): number {
  const text = workMinutes.map((atWork) => (atWork ? 'w' : '.')).join('')
  const pauses = text.replace(/^\.+|\.+$/g, '').split(/w+/)
  return pauses.filter(({ length }) => length * MINUTE_MS >= min_piece_ms).reduce((sum, { length }) => sum + length, 0)
}

/** The fewest minutes to take off, found by trying 0, 1, 2, … */
function deduction({ rules }: NonNullable<SettingsRow['break_policy']>, worked: number, taken: number): number {
  for (let minutes = 0; ; minutes += 1) {
    const left = (worked - minutes) * MINUTE_MS
    const required = Math.max(0, ...rules.filter((rule) => left > rule.worked_above_ms).map((rule) => rule.required_ms))
    if ((taken + minutes) * MINUTE_MS >= required) return minutes
  }
}

function absences(entries: readonly EntryContent[], row: SettingsRow, date: string, workedMs: number) {
  const planned = BigInt(row.target_ms[Temporal.PlainDate.from(date).dayOfWeek - 1] ?? 0)
  const billion = 1_000_000_000n
  const of = (kind: string) =>
    entries.reduce(
      (sum, entry) =>
        entry.kind === kind && 'day_share' in entry && entry.date === date
          ? sum + BigInt((entry.day_share as number).toFixed(9).replace('.', ''))
          : sum,
      0n,
    )
  let full = 0n
  const fill = (kind: string) => {
    const before = full
    full = before + of(kind) > billion ? billion : before + of(kind)
    return full - before
  }
  const holiday = fill('public_holiday')
  const sick = fill('sick')
  const vacation = fill('vacation')
  const paid = fill('paid_other')
  const unpaid = fill('unpaid')
  const product = (shares: bigint) => {
    const exact = planned * shares
    const floor = exact / billion
    return Number((exact % billion) * 2n >= billion ? floor + 1n : floor)
  }
  const reducing = holiday + vacation + unpaid
  const crediting = sick + paid
  const beyond = Math.max(0, workedMs - product(billion - reducing - crediting))
  return { target: product(billion - reducing), credited: Math.max(0, product(crediting) - beyond) }
}
