import type { EpochMs, LocalDate, ZoneName } from '@saldo/core'
import type { Sheet, SheetAdjustment, SheetDay } from './sheet.ts'
import { type SheetColumn, type SheetWords, sheetColumns } from './sheet-words.ts'
import { dateCell, textCell, workbookFont } from './workbook.ts'

const MINUTES_PER_HOUR = 60
const MINUTES_PER_DAY = 24 * MINUTES_PER_HOUR

const formats = { date: 'ddd yyyy-mm-dd', time: 'hh:mm', duration: '[h]:mm', delta: '+0.00;-0.00;0.00' }
const REMARKS_WIDTH = 19.5
/** The width that a line of words fills at least. */
const WORDS_WIDTH = 18
const LINE_POINTS = 12.75

/** In characters. Together they fit an upright page of A4, on which a month without long remarks is one page. */
const widths = [14.5, 6, 6, 6.5, 7.5, 8.5, 7, 10, REMARKS_WIDTH]
const besideDelta = { align: 'left', indent: 1, wrap: true } as const
const bold = { fontWeight: 'bold' } as const

type Cell =
  | (ReturnType<typeof dateCell | typeof textCell | typeof number | typeof formula> & {
      fontWeight?: 'bold'
      fontSize?: number
      align?: 'left' | 'right'
      alignVertical?: 'top'
      indent?: number
      wrap?: boolean
      height?: number
    })
  | null
type Row = Cell[]

/**
 * Returns a sheet as an Excel workbook. Dates and times are real, what follows from other cells is a
 * formula, and a text is never one.
 */
export async function sheetWorkbookOf(sheet: Sheet, words: SheetWords): Promise<Blob> {
  const { default: writeWorkbook } = await import('write-excel-file/universal')
  const head: Row[] = [
    [{ ...textCell(words.title), ...bold, fontSize: 14 }],
    ...words.person.map(({ label, value }): Row => [textCell(label), textCell(value)]),
    [],
    sheetColumns.map((column) => ({ ...textCell(words.column[column]), ...bold, ...placeOf(column), wrap: true })),
  ]
  const rows: Row[] = [
    ...head,
    [textCell(words.balanceIn), ...blanks(6), number(sheet.balanceInMinutes / MINUTES_PER_HOUR, formats.delta)],
  ]
  const balanceIn = rows.length
  for (const day of sheet.days) rows.push(...rowsOf(day, words, rows.length + 1))
  const lastDay = rows.length
  for (const adjustment of sheet.adjustments) rows.push(rowOf(adjustment, words))
  const lastAdjustment = rows.length
  const sum = (column: string, format: string) => formula(`SUM(${column}${balanceIn + 1}:${column}${lastDay})`, format)
  rows.push(
    [
      { ...textCell(words.total), ...bold },
      ...blanks(2),
      ...['D', 'E', 'F', 'G'].map((column) => ({ ...sum(column, formats.duration), ...bold })),
      { ...sum('H', formats.delta), ...bold },
    ],
    [
      { ...textCell(words.balanceOut), ...bold },
      ...blanks(6),
      { ...formula(`SUM(H${balanceIn}:H${lastAdjustment})`, formats.delta), ...bold },
    ],
    [],
    [textCell(words.note)],
    [textCell(words.version)],
    [],
    [],
    [textCell('_'.repeat(SIGNATURE_WIDTH)), ...blanks(4), textCell('_'.repeat(SIGNATURE_WIDTH))],
    [textCell(words.signatures[0] ?? ''), ...blanks(4), textCell(words.signatures[1] ?? '')],
  )
  const columns = widths.map((width) => ({ width }))
  return writeWorkbook([{ sheet: sheetName(words.title), data: rows, columns }], workbookFont).toBlob()
}

const SIGNATURE_WIDTH = 32

/** Returns a row for each block of a day, the first with its figures. */
function rowsOf(day: SheetDay, words: SheetWords, at: number): Row[] {
  const { figures, blocks, zone } = day
  const [first, ...others] = blocks
  const figureCells: Row = figures
    ? [
        ...[figures.breakMinutes, figures.workedMinutes, figures.creditedMinutes, figures.targetMinutes].map(
          (minutes) => number(minutes / MINUTES_PER_DAY, formats.duration),
        ),
        formula(`24*(E${at}+F${at}-G${at})`, formats.delta),
      ]
    : blanks(5)
  const remarks = [...words.remarks(day), ...offsetsOf(day)].join('; ')
  const row: Row = [
    { ...dateCell(day.date, formats.date), align: 'left' },
    ...(first ? [time(day.date, first.start, zone), time(day.date, first.end, zone)] : blanks(2)),
    ...figureCells,
    { ...textCell(remarks), ...besideDelta, height: LINE_POINTS * linesOf(remarks) },
  ]
  return [
    row.map((cell) => cell && { ...cell, alignVertical: 'top' }),
    ...others.map(({ start, end }): Row => [null, time(day.date, start, zone), time(day.date, end, zone)]),
  ]
}

/** Returns the times of a day on which the clock changes with their offsets, without which its row does not add up. */
function offsetsOf({ blocks, zone, hasClockChange }: SheetDay): string[] {
  const textOf = (ms: EpochMs) => {
    const there = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
    return `${there.toPlainTime().toString({ smallestUnit: 'minute' })} (${there.offset})`
  }
  return hasClockChange ? blocks.map(({ start, end }) => `${textOf(start)}–${textOf(end)}`) : []
}

function rowOf(adjustment: SheetAdjustment, words: SheetWords): Row {
  return [
    { ...dateCell(adjustment.date, formats.date), align: 'left' },
    ...blanks(6),
    number(adjustment.minutes / MINUTES_PER_HOUR, formats.delta),
    { ...textCell(words.adjustment(adjustment)), ...besideDelta },
  ]
}

/** Estimates the lines of wrapped remarks, because not every program makes room for them by itself. */
function linesOf(remarks: string): number {
  return Math.floor(remarks.length / WORDS_WIDTH) + 1
}

/** Headings stand as the cells below them do. */
function placeOf(column: SheetColumn): { align: 'left' | 'right'; indent?: number; wrap?: boolean } {
  if (column === 'remarks') return besideDelta
  return { align: column === 'day' ? 'left' : 'right' }
}

const blanks = (count: number): null[] => Array.from({ length: count }, () => null)

const number = (value: number, format: string) => ({ type: Number, value, format })

const formula = (value: string, format: string) => ({ type: 'Formula' as const, value, format })

/** Returns the time of day as a part of a day; the end of the day is 24:00. */
function time(day: LocalDate, ms: EpochMs, zone: ZoneName): Cell {
  const there = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(zone)
  const minutes = there.hour * MINUTES_PER_HOUR + there.minute
  const isNextDay = there.toPlainDate().toString() > day && minutes === 0
  return number((isNextDay ? MINUTES_PER_DAY : minutes) / MINUTES_PER_DAY, isNextDay ? formats.duration : formats.time)
}

/** Excel allows 31 characters, and some not at all. */
function sheetName(title: string): string {
  return title.replaceAll(/[[\]:*?/\\']/g, ' ').slice(0, 31)
}
