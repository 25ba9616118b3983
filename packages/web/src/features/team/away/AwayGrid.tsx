import { type AwayPage, type DateRange, datesIn, type LocalDate, weekdayIndex } from '@saldo/core'
import { type KeyboardEvent, memo, useEffect, useRef } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import classes from './AwayGrid.module.css'
import { type AwayCell, cellsOf, countsOf } from './away-model.ts'
import { useAwayText } from './useAwayText.ts'

interface Props {
  page: AwayPage
  range: DateRange
  today: LocalDate
  /** True beside other things: it is as high as its rows, and sums nothing up. */
  isSmall?: boolean
}

const STEP_PX = 160
const steps: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** People and the days of a month; names and days stay in view while it is scrolled, by arrow keys too. */
export function AwayGrid({ page: { items }, range, today, isSmall = false }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const scroller = useRef<HTMLElement>(null)
  const dates = [...datesIn(range)]
  const counts = countsOf(items, range)
  const kindOf = (date: LocalDate) => ({
    'data-weekend': weekdayIndex(date) > 4 || undefined,
    'data-today': date === today || undefined,
  })
  useEffect(() => {
    const [box, column] = [scroller.current, scroller.current?.querySelector<HTMLElement>('th[data-today]')]
    if (box && column) box.scrollLeft = column.offsetLeft - box.clientWidth / 2
  }, [])
  const scroll = (event: KeyboardEvent<HTMLElement>) => {
    const [x, y] = steps[event.key] ?? []
    if (x === undefined || y === undefined || !scroller.current) return
    event.preventDefault()
    scroller.current.scrollBy({ left: x * STEP_PX, top: y * STEP_PX })
  }
  return (
    <section
      ref={scroller}
      className={classes.scroll}
      data-small={isSmall || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keyboard
      tabIndex={0}
      aria-label={t('team.away.gridOf')}
      onKeyDown={scroll}
    >
      <table className={classes.grid}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              {t('team.away.person')}
            </th>
            {dates.map((date) => (
              <th key={date} scope="col" {...kindOf(date)} aria-current={date === today ? 'date' : undefined}>
                <abbr title={format.date(date, 'day')}>
                  <span className={classes.weekday}>{format.date(date, 'weekdayShort').slice(0, 2)}</span>
                  <span className={classes.day}>{Number(date.slice(8))}</span>
                </abbr>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map(({ user_id, group_id, name, dates: away }) => {
            const cells = cellsOf(away, range)
            return (
              <tr key={`${user_id} ${group_id}`}>
                <th scope="row" className={classes.name} title={name}>
                  {name}
                </th>
                {dates.map((date) => (
                  <td key={date} {...kindOf(date)}>
                    <Cell cell={cells.get(date)} />
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
        {!isSmall && (
          <tfoot>
            <tr>
              <th scope="row" className={classes.name}>
                {t('team.away.count')}
              </th>
              {dates.map((date) => (
                <td key={date} {...kindOf(date)} className={classes.count}>
                  {counts.get(date) ?? ''}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
    </section>
  )
}

const Cell = memo(function Cell({ cell }: { cell: AwayCell | undefined }) {
  const { textOf, markOf } = useAwayText()
  if (!cell) return null
  const { sight, isFirst, isLast } = cell
  return (
    <span
      className={classes.mark}
      data-sight={sight}
      data-first={isFirst || undefined}
      data-last={isLast || undefined}
      title={textOf(cell)}
    >
      <span aria-hidden>{markOf(cell)}</span>
      <span className="visually-hidden">{textOf(cell)}</span>
    </span>
  )
})
