/**
 * A second implementation of what a payroll file says: plain arithmetic over the text of the files and over the export
 * of each person. It imports nothing, so that it shares no mistake with the service. All figures are whole minutes;
 * breaks are recorded ones, and times of day are of a zone whose midnights are full hours of UTC.
 */

/** A person of the files, with their export. */
interface CheckedPerson {
  personnelNumber: string
  /** The last month that payroll has of the person. */
  lastMonth: string
  exported: {
    records: {
      entries: ExportedEntry[]
      settings_history: { effective_from: string; time_zone: string; target_ms: number[] }[]
      balance_adjustments: { effective_date: string; delta_ms: number }[]
    }
  }
}

interface ExportedEntry {
  kind: string
  started_at?: string
  ended_at?: string | null
  date?: string
  day_share?: number
  amount_ms?: number | null
}

/** The figures of a month: minutes, and days of vacation in hundredths. */
interface MonthFigures {
  worked: number
  delta: number
  adjustments: number
  balance: number
  vacation: number
  sick: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const isoDate = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Returns the figures of each month of an account, from its first day up to the last month. */
function figuresOf({ exported, lastMonth }: CheckedPerson): Map<string, MonthFigures> {
  const { entries, settings_history, balance_adjustments } = exported.records
  const settings = [...settings_history].sort((a, b) => (a.effective_from < b.effective_from ? -1 : 1))
  const zone = settings[0]?.time_zone ?? 'UTC'
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  const dateOfHour = new Map<number, string>()
  const dateAt = (ms: number) => {
    const hour = Math.floor(ms / HOUR)
    const known = dateOfHour.get(hour) ?? format.format(hour * HOUR)
    dateOfHour.set(hour, known)
    return known
  }
  const minutesByDate = new Map<string, Set<number>>()
  for (const kind of ['work', 'break']) {
    for (const entry of entries) {
      if (entry.kind !== kind || !entry.started_at || !entry.ended_at) continue
      for (let at = Date.parse(entry.started_at); at < Date.parse(entry.ended_at); at += MINUTE) {
        const date = dateAt(at)
        const minutes = minutesByDate.get(date) ?? new Set()
        minutesByDate.set(date, minutes)
        if (kind === 'work') minutes.add(at)
        else minutes.delete(at)
      }
    }
  }

  const months = new Map<string, MonthFigures>()
  const monthOf = (date: string) => {
    const month = date.slice(0, 7)
    const known = months.get(month) ?? { worked: 0, delta: 0, adjustments: 0, balance: 0, vacation: 0, sick: 0 }
    months.set(month, known)
    return known
  }
  let first = settings[0]?.effective_from ?? ''
  for (const { effective_date } of balance_adjustments) if (effective_date < first) first = effective_date
  for (let at = Date.parse(first); isoDate(at).slice(0, 7) <= lastMonth; at += DAY) {
    const date = isoDate(at)
    const figures = monthOf(date)
    for (const { effective_date, delta_ms } of balance_adjustments) {
      if (effective_date === date) figures.adjustments += delta_ms / MINUTE
    }
    let planned: number | undefined
    for (const row of settings) {
      if (row.effective_from <= date) planned = (row.target_ms[(new Date(at).getUTCDay() + 6) % 7] ?? 0) / MINUTE
    }
    if (planned === undefined) continue
    let left = planned
    const taken: Record<string, number> = {}
    for (const kind of ['public_holiday', 'sick', 'vacation', 'paid_other', 'unpaid']) {
      let asked = 0
      for (const entry of entries) {
        if (entry.kind !== kind || entry.date !== date) continue
        asked += entry.amount_ms == null ? planned * (entry.day_share ?? 1) : entry.amount_ms / MINUTE
      }
      taken[kind] = Math.min(asked, left)
      left -= taken[kind]
    }
    const of = (kind: string) => taken[kind] ?? 0
    const worked = minutesByDate.get(date)?.size ?? 0
    const target = planned - of('public_holiday') - of('vacation') - of('unpaid')
    const paid = of('sick') + of('paid_other')
    const credited = Math.max(0, paid - Math.max(0, worked - (target - paid)))
    figures.worked += worked
    figures.delta += worked + credited - target
    figures.sick += of('sick')
    figures.vacation += planned === 0 ? 0 : (100 * of('vacation')) / planned
  }
  let balance = 0
  for (const month of [...months.keys()].sort()) {
    const figures = monthOf(month)
    balance += figures.delta + figures.adjustments
    figures.balance = balance
  }
  return months
}

/** The wage types of the files that are checked, each with its figure and the hundredths that make its unit. */
export const checkedWageTypes: Record<string, { figure: keyof MonthFigures; perUnit: number }> = {
  '100': { figure: 'worked', perUnit: 1 },
  '200': { figure: 'delta', perUnit: 1 },
  '210': { figure: 'adjustments', perUnit: 1 },
  '220': { figure: 'balance', perUnit: 1 },
  '300': { figure: 'vacation', perUnit: 100 },
  '310': { figure: 'sick', perUnit: 1 },
}

/**
 * Returns all that differs between the sums of files and the accounts; empty if they add up. The files
 * have the columns personnel number, month, wage type and amount, with `;` and a decimal point, and no header.
 */
export function payrollFaults(files: readonly string[], people: readonly CheckedPerson[]): string[] {
  const sums = new Map<string, number>()
  for (const line of files.flatMap((text) => text.split('\r\n'))) {
    if (line === '') continue
    const [number, month, wageType = '', amount] = line.split(';')
    const key = `${number} ${month} ${wageType}`
    sums.set(
      key,
      (sums.get(key) ?? 0) + Math.round(Number(amount) * (checkedWageTypes[wageType]?.perUnit ?? Number.NaN)),
    )
  }
  const faults: string[] = []
  for (const person of people) {
    for (const [month, figures] of figuresOf(person)) {
      for (const [wageType, { figure }] of Object.entries(checkedWageTypes)) {
        const key = `${person.personnelNumber} ${month} ${wageType}`
        const [sent, expected] = [sums.get(key) ?? 0, Math.round(figures[figure])]
        if (sent !== expected) faults.push(`${key}: the files say ${sent}, the account ${expected}`)
        sums.delete(key)
      }
    }
  }
  return [...faults, ...[...sums].map(([key, sent]) => `${key}: the files say ${sent}, and there is no account`)]
}
