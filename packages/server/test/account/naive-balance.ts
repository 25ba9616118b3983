import { dates, isoWeek, type NaiveAccount, plusDays } from './naive-account.ts'

/** What the balance is reckoned from. */
export interface Books {
  account: NaiveAccount
  /** The first date with settings. */
  first: string | undefined
  closedWeeks: readonly { week: string; delta_ms: number }[]
  adjustments: readonly { effective_date: string; delta_ms: number }[]
  now: number
}

/** The summary as the contract words it (R1.4, R2.7, D2), day by day. */
export function naiveBalance({ account, first, closedWeeks, adjustments, now }: Books) {
  const today = todayOf(account, now)
  const closed = new Set(closedWeeks.map(({ week }) => week))
  let open_delta_ms = 0
  for (const date of first === undefined ? [] : dates(first, plusDays(today, -1))) {
    if (!closed.has(isoWeek(date))) open_delta_ms += account.day(date).delta_ms
  }
  const closed_weeks_delta_ms = sum(closedWeeks)
  const adjustments_delta_ms = sum(adjustments)
  const balance_ms = closed_weeks_delta_ms + adjustments_delta_ms
  return {
    closed_weeks_delta_ms,
    adjustments_delta_ms,
    balance_ms,
    future_adjustments_delta_ms: sum(adjustments.filter(({ effective_date }) => effective_date > today)),
    open_delta_ms,
    projected_balance_ms: balance_ms + open_delta_ms,
    last_closed_week: [...closed].sort().at(-1) ?? null,
    as_of: new Date(now).toISOString(),
    time_zone: first === undefined ? null : account.day(today).time_zone,
    recomputing: [],
  }
}

/** The date whose window holds the moment. */
function todayOf(account: NaiveAccount, now: number): string {
  let date = plusDays(new Date(now).toISOString().slice(0, 10), -3)
  while (account.start(plusDays(date, 1)) <= now) date = plusDays(date, 1)
  return date
}

function sum(deltas: readonly { delta_ms: number }[]): number {
  return deltas.reduce((total, { delta_ms }) => total + delta_ms, 0)
}
