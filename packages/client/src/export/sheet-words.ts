import { type AbsenceSize, formatDelta, MINUTE_MS } from '@saldo/core'
import type { Sheet, SheetAdjustment, SheetDay } from './sheet.ts'
import { hoursText } from './sheet-text.ts'

/** The columns of a workbook. */
export const sheetColumns = [
  'day',
  'start',
  'end',
  'break',
  'worked',
  'credited',
  'target',
  'deltaHours',
  'remarks',
] as const
/** A column of a month sheet. */
export type SheetColumn = (typeof sheetColumns)[number]

/** The words of a sheet in a language. */
export interface SheetWords {
  title: string
  /** Labels and values about the person; those without a value are left out. */
  person: readonly { label: string; value: string }[]
  /** The print has one column for the times of a day, and its delta in hours and minutes. */
  column: Record<SheetColumn | 'times' | 'delta', string>
  balanceIn: string
  balanceOut: string
  total: string
  /** The lines to sign on. */
  signatures: readonly string[]
  /** Says how to read the figures. */
  note: string
  /** Names the version and the digest. */
  version: string
  /** Returns the remarks about a day, each a text of its own. */
  remarks(day: SheetDay): readonly string[]
  /** Returns the line of a balance adjustment. */
  adjustment(adjustment: SheetAdjustment): string
}

/** Returns the words of a sheet in English, for programs. `version` is that of the records. */
export function plainSheetWords({ range, profile, digest, countedTo }: Sheet, version: number): SheetWords {
  return {
    title: `Timesheet ${range.from} to ${range.to}`,
    person: [
      { label: 'Name', value: profile.name },
      { label: 'Personnel number', value: profile.personnel_number },
      { label: 'Employer', value: profile.employer },
    ].filter(({ value }) => value !== ''),
    column: {
      day: 'Day',
      times: 'Times',
      start: 'Start',
      end: 'End',
      break: 'Break',
      worked: 'Worked',
      credited: 'Credited',
      target: 'Target',
      delta: 'Difference',
      deltaHours: 'Difference (hours)',
      remarks: 'Remarks',
    },
    balanceIn: 'Balance carried in',
    balanceOut: 'Balance carried out',
    total: 'Total',
    signatures: ['Date, signature of the employee', 'Date, signature of the employer'],
    note: `Figures up to ${countedTo < range.to ? countedTo : range.to}.`,
    version: `Version ${version}, digest ${digest}`,
    remarks: ({ absences, runningSince, state, projects, notes, hints }) => [
      ...absences.map(({ kind, size, note }) =>
        [`${kind.replaceAll('_', ' ')}${sizeText(size)}`, note].filter((text) => text !== '').join(': '),
      ),
      ...(runningSince === null ? [] : ['still running']),
      ...(state === 'outside' ? ['outside the account'] : []),
      ...projects,
      ...notes,
      ...hints.map(
        ({ code, amountMs }) => `${code.replaceAll('_', ' ')} ${hoursText(Math.floor(amountMs / MINUTE_MS))}`,
      ),
    ],
    adjustment: ({ kind, reason }) => `${kind}: ${reason}`,
  }
}

/** The size of an absence that is not the whole day: its share, or its time. */
function sizeText({ day_share, amount_ms }: AbsenceSize): string {
  if (amount_ms !== null) return ` ${formatDelta(amount_ms)} h`
  return day_share === 1 ? '' : ` ${day_share}`
}
