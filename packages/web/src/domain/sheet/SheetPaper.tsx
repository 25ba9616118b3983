import {
  deltaText,
  hoursText,
  type Sheet,
  type SheetDay,
  type SheetFigures,
  type SheetWords,
} from '@saldo/client/export'
import { useFormat } from '../../context/FormatProvider.tsx'
import classes from './SheetPaper.module.css'
import { blockText } from './sheet-text.ts'

const figureColumns = ['break', 'worked', 'credited', 'target'] as const
const columns = ['day', 'times', ...figureColumns, 'delta', 'remarks'] as const

interface Props {
  sheet: Sheet
  words: SheetWords
  /** Remarks of the person on the month. */
  remarks?: readonly string[]
  /** False to leave out both balances. */
  hasBalances?: boolean
}

/** A sheet as it is printed. Its head is repeated on each page, and no row is cut. */
export function SheetPaper({ sheet, words, remarks = [], hasBalances = true }: Props) {
  return (
    <article className={classes.paper}>
      <table className={classes.table} aria-label={words.title}>
        <colgroup>
          {columns.map((column) => (
            <col key={column} data-column={column} />
          ))}
        </colgroup>
        <thead>
          <tr>
            <td colSpan={columns.length} className={classes.head}>
              <span className={classes.title}>{words.title}</span>
              <span className={classes.person}>
                {words.person.map(({ label, value }) => (
                  <span key={label}>
                    {label}: <b>{value}</b>
                  </span>
                ))}
              </span>
            </td>
          </tr>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className={column === 'times' ? classes.times : undefined}>
                {words.column[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hasBalances && <Balance name={words.balanceIn} minutes={sheet.balanceInMinutes} />}
          {sheet.days.map((day) => (
            <DayRow key={day.date} day={day} words={words} />
          ))}
        </tbody>
        <tbody className={classes.sums}>
          <tr>
            <th scope="row" colSpan={2}>
              {words.total}
            </th>
            <Figures figures={sheet.totals} />
            <td />
          </tr>
          {sheet.adjustments.map((adjustment, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two adjustments may be alike
            <Adjustment key={index} date={adjustment.date} minutes={adjustment.minutes}>
              {words.adjustment(adjustment)}
            </Adjustment>
          ))}
          {hasBalances && <Balance name={words.balanceOut} minutes={sheet.balanceOutMinutes} />}
        </tbody>
      </table>
      <footer className={classes.foot}>
        {remarks.map((remark, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two remarks may be alike
          <p key={index} className={classes.remark}>
            {remark}
          </p>
        ))}
        <p>{words.note}</p>
        <p>{words.version}</p>
        <div className={classes.signatures}>
          {words.signatures.map((signature) => (
            <p key={signature}>{signature}</p>
          ))}
        </div>
      </footer>
    </article>
  )
}

function Balance({ name, minutes }: { name: string; minutes: number }) {
  return (
    <tr className={classes.balance}>
      <th scope="row" colSpan={6}>
        {name}
      </th>
      <td>{deltaText(minutes)}</td>
      <td />
    </tr>
  )
}

function Adjustment({ date, minutes, children }: { date: SheetDay['date']; minutes: number; children: string }) {
  const format = useFormat()
  return (
    <tr>
      <th scope="row">{format.date(date, 'weekdayNumber')}</th>
      <td colSpan={5} />
      <td>{deltaText(minutes)}</td>
      <td>{children}</td>
    </tr>
  )
}

function DayRow({ day, words }: { day: SheetDay; words: SheetWords }) {
  const format = useFormat()
  const { date, blocks, figures } = day
  return (
    <tr data-free={figures?.targetMinutes === 0 || undefined}>
      <th scope="row">{format.date(date, 'weekdayNumber')}</th>
      <td className={classes.times}>
        {blocks.map((block, index) => (
          <span key={block.start}>
            {index > 0 && ', '}
            <span className={classes.block}>{blockText(block, day, format)}</span>
          </span>
        ))}
      </td>
      {figures ? <Figures figures={figures} /> : <td colSpan={5} />}
      <td>{words.remarks(day).join(', ')}</td>
    </tr>
  )
}

function Figures({ figures }: { figures: SheetFigures }) {
  const isEmpty = Object.values(figures).every((minutes) => minutes === 0)
  return (
    <>
      {figureColumns.map((column) => {
        const minutes = figures[`${column}Minutes`]
        return <td key={column}>{minutes === 0 ? '' : hoursText(minutes)}</td>
      })}
      <td>{isEmpty ? '' : deltaText(figures.deltaMinutes)}</td>
    </>
  )
}
