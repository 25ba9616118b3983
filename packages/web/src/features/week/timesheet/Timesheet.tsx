import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type LocalDate, netWorkMs } from '@saldo/core'
import { useRef, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import type { Week } from '../shown-week.ts'

import type { Cell } from './cells.ts'
import { HoursCell } from './HoursCell.tsx'
import classes from './Timesheet.module.css'
import { DeletionQuestion, TimesheetActions } from './TimesheetActions.tsx'
import { dateShownFirst, type TimesheetRow } from './timesheet-model.ts'
import { useTimesheet } from './useTimesheet.ts'

const NARROW = '(max-width: 62em)'

/** A grid of hours by project and day, for people who do not use the timer. */
export function Timesheet({ week }: { week: Week }) {
  const { t } = useTranslation()
  const format = useFormat()
  const sheet = useTimesheet(week)
  const grid = useRef<HTMLTableElement>(null)
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState(() => dateShownFirst(week))
  const dates = isNarrow ? [chosen] : week.dates
  const labelOf = (project: TimesheetRow, { date }: Cell) =>
    t('week.timesheet.cell', { project: project ?? t('week.timesheet.noProject'), day: format.date(date, 'day') })
  /** Focuses a cell; returns false if there is none. */
  const focusCell = (row: number, column: number) => {
    const cell = grid.current?.querySelector<HTMLInputElement>(`[data-place="${row}.${column}"]`)
    cell?.focus()
    return Boolean(cell)
  }
  return (
    <section className={classes.sheet} aria-label={t('week.asTimesheet')}>
      {isNarrow && (
        <SegmentedControl
          fullWidth
          size="xs"
          aria-label={t('week.timesheet.day')}
          value={chosen}
          onChange={setChosen}
          data={week.dates.map((date) => ({ value: date, label: format.date(date, 'weekdayShort') }))}
        />
      )}
      <table ref={grid} className={classes.table}>
        <caption className="visually-hidden">{t('week.timesheet.caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('week.timesheet.project')}</th>
            {dates.map((date) => (
              <th key={date} scope="col" data-today={date === week.today || undefined}>
                {format.date(date, 'short')}
              </th>
            ))}
            <th scope="col">{t('week.sum')}</th>
          </tr>
        </thead>
        <tbody>
          {sheet.rows.map(({ project, cells }, row) => (
            <tr key={project ?? ''}>
              <th scope="row">{project ?? t('week.timesheet.noProject')}</th>
              {cells.map((cell, column) =>
                dates.includes(cell.date) ? (
                  <td key={cell.date}>
                    <HoursCell
                      cell={cell}
                      label={labelOf(project, cell)}
                      place={`${row}.${column}`}
                      onSave={(workedMs) => sheet.setHours(cell, workedMs)}
                      onMove={(rows) => focusCell(row + rows, column)}
                    />
                  </td>
                ) : null,
              )}
              <td className={classes.sum}>{format.duration(sumOf(cells))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          {week.sums.all.deducted_break_ms > 0 && (
            <SumRow
              label={t('week.timesheet.deducted')}
              week={week}
              dates={dates}
              read={({ deducted_break_ms }) => -deducted_break_ms}
            />
          )}
          <SumRow label={t('week.timesheet.counted')} week={week} dates={dates} read={netWorkMs} />
          <SumRow label={t('week.column.planned')} week={week} dates={dates} read={({ target_ms }) => target_ms} />
        </tfoot>
      </table>
      <TimesheetActions
        projectNames={sheet.otherProjects}
        onAddProject={sheet.addProject}
        onCopyHours={sheet.copyHours}
        onCopyProjects={sheet.copyProjects}
      />
      {sheet.question && <DeletionQuestion {...sheet.question} />}
      <p className={classes.note} aria-live="polite">
        {sheet.isNothingCopied && t('week.timesheet.nothingToCopy')}
      </p>
      <p className={classes.note}>{week.closed ? t('week.timesheet.closedHelp') : t('week.timesheet.help')}</p>
    </section>
  )
}

interface SumRowProps {
  label: string
  week: Week
  dates: readonly LocalDate[]
  read: (figures: Week['sums']['all']) => number
}

function SumRow({ label, week, dates, read }: SumRowProps) {
  const format = useFormat()
  return (
    <tr>
      <th scope="row">{label}</th>
      {week.days
        .filter(({ date }) => dates.includes(date))
        .map(({ date, figures }) => (
          <td key={date}>{format.duration(read(figures))}</td>
        ))}
      <td className={classes.sum}>{format.duration(read(week.sums.all))}</td>
    </tr>
  )
}

function sumOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { workedMs }) => sum + workedMs, 0)
}
