// A file without imports: the command line offers these words before it loads the schemas that check them.

/** The kinds of entries with a start and an end (D2.9). */
export const timedEntryKinds = ['work', 'break'] as const
/** The kinds of absences, which have a date and a size (D2.10, D2.34). */
export const absenceKinds = ['vacation', 'sick', 'public_holiday', 'time_off_in_lieu', 'unpaid', 'paid_other'] as const
/** The kinds of absence that somebody chooses; a public holiday follows from the place. */
export const chosenAbsenceKinds = ['vacation', 'sick', 'time_off_in_lieu', 'unpaid', 'paid_other'] as const
/** The kinds of entry (D2.8). */
export const entryKinds = [...timedEntryKinds, ...absenceKinds, 'vacation_grant', 'request'] as const

/** The things that a request asks for (D26.1): an absence, the end of one, or changes as a push has them. */
export const requestAims = ['absence', 'cancel', 'change'] as const

/** The ways to group the time of a report (D12.2, D12.3). */
export const reportGroups = ['project', 'tag', 'day', 'week', 'month'] as const

/** The scopes of tokens for the account of their user; each includes those before it (D21.1). */
export const accountScopes = ['read', 'record', 'full'] as const
/** The scopes of tokens for a company, which include no other and are included in none (D24.8). */
export const teamScopes = ['away', 'payroll'] as const
/** The scopes of tokens. */
export const tokenScopes = [...accountScopes, ...teamScopes] as const
