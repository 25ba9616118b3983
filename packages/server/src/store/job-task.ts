import type { Cause, DateRange, HolidayRange, LocalDate, Month, UserNumber } from '@saldo/core'

/** The work of a job. */
export type JobTask =
  /** Recompute the closed days of these ranges, in order, because of these causes. */
  | { kind: 'recompute'; ranges: DateRange[]; causes: Cause[] }
  /** Close what has become due; everything before `dayFrom` and `weekFrom` (a Monday) is done. */
  | { kind: 'auto_close'; dayFrom: LocalDate; weekFrom: LocalDate }
  /** Generate the public holidays of these ranges, in order; without any, those from today on. */
  | { kind: 'holidays'; ranges: HolidayRange[] }
  /** Make the rules of a member and the facts for team pages anew (D30.1). */
  | { kind: 'team_facts' }
  /** Mail an approver the waiting requests each working day (D26.18). `last` is the date of the last look, if any. */
  | { kind: 'inbox_mail'; last: LocalDate | null }
  /** Note in the trail that the sheet of a month went to payroll (D29.2). */
  | { kind: 'export_trail'; company: number; actor: UserNumber; month: Month; checkCode: string }

/** The id of a user's only job that makes facts for team pages, and its task as it is stored. */
export const TEAM_FACTS_JOB = 'team_facts'
export const teamFactsTask = JSON.stringify({ kind: 'team_facts' } satisfies JobTask)
/** The id of a user's only job that mails an approver the waiting requests, and its task as it is first stored. */
export const INBOX_MAIL_JOB = 'inbox_mail'
export const inboxMailTask = JSON.stringify({ kind: 'inbox_mail', last: null } satisfies JobTask)
