import {
  type AccountEvent,
  type AccountTrailRow,
  DateText,
  dateAt,
  epochMs,
  InstantText,
  type LocalDate,
  type MemberTrailPage,
  MonthText,
  matches,
  type Timeline,
} from '@saldo/core'

/** Pages of a trail that are read at most: years of an account with a company. */
const MAX_PAGES = 50

/** Reads all pages of a trail, the earliest rows first. */
export async function wholeTrail(read: (after: string | null) => Promise<MemberTrailPage>): Promise<AccountTrailRow[]> {
  const rows: AccountTrailRow[] = []
  let after: string | null = null
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { items, cursor } = await read(after)
    rows.push(...items)
    if (cursor === null) break
    after = cursor
  }
  return rows
}

const looks: readonly AccountEvent[] = ['days_read', 'sheet_read', 'trail_read', 'exported']

/** Returns the rows that report a look of others at days, sheets or the trail, the latest first (D25.10). */
export function looksIn(rows: readonly AccountTrailRow[]): AccountTrailRow[] {
  return rows.filter(({ kind }) => looks.includes(kind)).toReversed()
}

/** Returns what the service did a row for, where nobody gave a reason: an approved request or company leave. */
export function causeOf({ kind, data }: AccountTrailRow): 'request' | 'leave' | undefined {
  if (kind !== 'month_reopened' && kind !== 'change_applied') return undefined
  return (['request', 'leave'] as const).find((cause) => typeof data[cause] === 'string')
}

/** Returns what a row says in the words of the app: an event, more exactly where its data tell more. */
export function eventOf({ kind, data }: AccountTrailRow) {
  if (kind === 'days_read' && matches(MonthText, data.month)) return 'days_read_in'
  if (kind !== 'request_decided') return kind
  return data.outcome === 'approved' ? 'request_approved' : 'request_declined'
}

/** A change that a person made of their own earlier days. */
export interface OwnChange {
  record: string
  op: 'added' | 'changed' | 'deleted'
  date: LocalDate
}

/** Returns what a row of a trail says of an own change; `undefined` for other rows, and for what is not known here. */
export function ownChangeOf({ kind, data }: AccountTrailRow, timeline: Timeline): OwnChange | undefined {
  const { record, before, after } = data
  if (kind !== 'own_change' || typeof record !== 'string') return undefined
  const date = dateOfRecord(after ?? before, timeline)
  if (!date) return undefined
  return { record, op: !before ? 'added' : after ? 'changed' : 'deleted', date }
}

function dateOfRecord(fields: unknown, timeline: Timeline): LocalDate | undefined {
  const { started_at, date, effective_date, effective_from } = (fields ?? {}) as Record<string, unknown>
  if (matches(InstantText, started_at)) return dateAt(timeline, epochMs(started_at))
  return [date, effective_date, effective_from].find((each) => matches(DateText, each))
}
