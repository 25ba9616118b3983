import type { BalancePoint } from '@saldo/client/account'
import '@mantine/charts/styles.css'
import { AreaChart } from '@mantine/charts'
import { HOUR_MS, isDate, type LocalDate } from '@saldo/core'
import { type KeyboardEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import classes from './CurveChart.module.css'
import { indexByKey } from './cursor-keys.ts'
import { monthTicks } from './month-ticks.ts'

const MAX_TICKS = 6

interface Props {
  points: readonly BalancePoint[]
  cursor: BalancePoint
  onCursor: (date: LocalDate) => void
  onZoom: (direction: 'in' | 'out') => void
  /** Called with a range that was selected with the mouse. */
  onSpan: (from: LocalDate, to: LocalDate) => void
}

/** Draws the curve. For the keyboard and screen readers it is a slider over its points. */
export function CurveChart({ points, cursor, onCursor, onZoom, onSpan }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [dragStart, setDragStart] = useState<LocalDate>()
  const index = points.indexOf(cursor)
  const data = points.map(({ date, balanceMs }) => ({ date, hours: balanceMs / HOUR_MS }))
  const months = monthTicks(points, MAX_TICKS)

  const handleKey = (event: KeyboardEvent) => {
    const next = indexByKey(event.key, index, points.length)
    if (next !== undefined) {
      const point = points[next]
      if (point) onCursor(point.date)
    } else if (event.key === '+') onZoom('in')
    else if (event.key === '-') onZoom('out')
    else return
    event.preventDefault()
    // Keeps the keys from the shortcuts of the view.
    event.stopPropagation()
  }
  const moveTo = (date: LocalDate | undefined) => date && onCursor(date)
  const finishDrag = () => {
    if (dragStart !== undefined && dragStart !== cursor.date) {
      const [from, to] = [dragStart, cursor.date].sort() as [LocalDate, LocalDate]
      onSpan(from, to)
    }
    setDragStart(undefined)
  }
  return (
    <div
      className={classes.chart}
      role="slider"
      tabIndex={0}
      aria-label={t('account.curve.label')}
      aria-valuemin={0}
      aria-valuemax={points.length - 1}
      aria-valuenow={index}
      aria-valuetext={t('account.curve.value', {
        date: format.date(cursor.date, 'full'),
        balance: format.delta(cursor.balanceMs),
      })}
      onKeyDown={handleKey}
    >
      <AreaChart
        h={280}
        data={data}
        dataKey="date"
        series={[{ name: 'hours', color: 'var(--saldo-accent)' }]}
        curveType="linear"
        withDots={false}
        fillOpacity={0.12}
        strokeWidth={1.75}
        accessibilityLayer={false}
        gridColor="var(--saldo-line)"
        textColor="var(--saldo-muted)"
        xAxisProps={{
          minTickGap: 24,
          ...(months && { ticks: months }),
          tickFormatter: (date: LocalDate) => format.date(date, months ? 'month' : 'short'),
        }}
        yAxisProps={{ width: 56, tickFormatter: (hours: number) => format.delta(hours * HOUR_MS) }}
        withTooltip
        tooltipProps={{ content: () => null }}
        referenceLines={[
          { y: 0, color: 'var(--saldo-line-strong)', strokeDasharray: '0' },
          { x: cursor.date, color: 'var(--saldo-accent)' },
        ]}
        referenceDots={[{ x: cursor.date, y: cursor.balanceMs / HOUR_MS, r: 4, color: 'var(--saldo-accent)' }]}
        referenceAreas={
          dragStart === undefined ? [] : [{ x1: dragStart, x2: cursor.date, color: 'var(--saldo-accent)' }]
        }
        areaChartProps={{
          // Leaves room for half of the highest label.
          margin: { top: 10 },
          onMouseMove: ({ activeLabel }) => moveTo(dateOf(activeLabel)),
          onMouseDown: ({ activeLabel }) => setDragStart(dateOf(activeLabel)),
          onMouseUp: finishDrag,
          onTouchMove: ({ activeLabel }) => moveTo(dateOf(activeLabel)),
        }}
      />
    </div>
  )
}

/** Returns the date at a place of the chart, `undefined` outside its points. */
function dateOf(label: string | number | undefined): LocalDate | undefined {
  return typeof label === 'string' && isDate(label) ? label : undefined
}
