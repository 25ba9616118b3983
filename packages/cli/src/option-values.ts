import type { ExportTableName } from '@saldo/client/export'

// The command line offers these values before it loads what works with them.

export const exportFormats = ['json', 'csv', 'xlsx', 'sheet', 'solidtime'] as const
export type ExportFormat = (typeof exportFormats)[number]

export const reportFormats = ['text', 'json', 'junit'] as const
export type ReportFormat = (typeof reportFormats)[number]

/** The tables of an export; the type names one that is missing. */
export const tables = Object.keys({ entries: 0, days: 0, weeks: 0, ledger: 0 } satisfies Record<ExportTableName, 0>)

/** The units that bare numbers of a file to import can have. */
export const numberUnits = ['hours', 'minutes', 'seconds', 'clock', 'days'] as const
