import type {
  BoardFacts,
  Claims,
  CompanyPolicy,
  Digests,
  HolidaySettings,
  MemberDefaults,
  MemberMonths,
  MemberRules,
  PayrollAmount,
  PayrollMapping,
  Preferences,
  StoredSheet,
  TeamFacts,
  WebhookEventType,
} from '@saldo/core'
import type { JobTask } from './job-task.ts'
import type { TrailData } from './team/trail-rows.ts'
import type { TrailHead } from './trail-head.ts'

/** The columns that hold JSON, which nobody but the stores writes, with what is in them. */
interface JsonColumns {
  digests: Partial<Digests>
  claims: Claims
  task: JobTask
  holidaySettings: HolidaySettings
  preferences: Preferences
  events: WebhookEventType[]
  defaults: MemberDefaults
  policy: CompanyPolicy
  memberRules: MemberRules
  /** Months and runs of months; see `member-months.ts`. */
  memberMonths: Record<keyof MemberMonths, string[]>
  trail: TrailHead
  sheet: StoredSheet
  accountEvent: Record<string, unknown>
  changes: unknown[]
  mapping: PayrollMapping
  amounts: PayrollAmount[]
  data: TrailData
  absences: TeamFacts['absences']
  requests: TeamFacts['requests']
  board: BoardFacts
}

/** Returns what a column holds. The name of the column says its type, so that no reader chooses one. */
export function readColumn<Name extends keyof JsonColumns>(_column: Name, text: string): JsonColumns[Name] {
  return JSON.parse(text) as JsonColumns[Name]
}
