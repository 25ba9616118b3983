import type { Saldo } from '@saldo/client'
import type { IsoWeek, LocalDate } from '@saldo/core'

/** Closes lost weeks again, then lost days: closing a week closes its days. Throws the first error of the service. */
export async function closeAgain(
  { weeks, days }: Pick<Saldo, 'weeks' | 'days'>,
  lost: { weeks: readonly IsoWeek[]; days: readonly LocalDate[] },
): Promise<void> {
  for (const week of lost.weeks) await weeks.close(week)
  for (const date of lost.days) await days.close(date)
}
