/** The weeks and days that were closed in an export. The days of a closed week are among the days. */
interface Closings {
  closedWeeks: readonly string[]
  closedDays: readonly string[]
}

/** Returns the text that offers to close the same again, by weeks if there are any; `undefined` without closings. */
export function closingOffer({ closedWeeks, closedDays }: Closings): { key: string; count: number } | undefined {
  if (closedWeeks.length > 0) return { key: 'importExport.close.why', count: closedWeeks.length }
  return closedDays.length > 0 ? { key: 'importExport.close.whyDays', count: closedDays.length } : undefined
}
