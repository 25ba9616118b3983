import { useElementSize } from '@mantine/hooks'
import type { BalancePoint } from '@saldo/client/account'
import type { DateRange, LocalDate } from '@saldo/core'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import classes from './CurveChart.module.css'
import { rangeBetween } from './curve-model.ts'
import { DATE_WIDTH, dateTicks, indexByKey, LABEL_GAP, margin, plotOf } from './plot.ts'

const HEIGHT = 280

interface Props {
  points: readonly BalancePoint[]
  cursor: BalancePoint
  onCursor: (date: LocalDate) => void
  onZoom: (direction: 'in' | 'out') => void
  /** Called with a range that was selected with the mouse. */
  onSpan: (range: DateRange) => void
}

/** Draws the curve. For the keyboard and screen readers it is a slider over its points. */
export function CurveChart({ points, cursor, onCursor, onZoom, onSpan }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { ref, width } = useElementSize()
  const [dragStart, setDragStart] = useState<BalancePoint>()
  const index = points.indexOf(cursor)

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
  const pointAt = ({ currentTarget, clientX }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    return points[plotOf(points, [width, HEIGHT], format.delta).indexAt(x)] as BalancePoint
  }
  const beginDrag = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setDragStart(pointAt(event))
  }
  const finishDrag = (event: PointerEvent) => {
    if (dragStart === undefined) return
    const range = rangeBetween(dragStart.date, pointAt(event).date)
    if (range) onSpan(range)
    setDragStart(undefined)
  }
  return (
    <div
      ref={ref}
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
      onPointerDown={beginDrag}
      onPointerMove={(event) => onCursor(pointAt(event).date)}
      onPointerUp={finishDrag}
      onPointerCancel={() => setDragStart(undefined)}
    >
      {width > 0 && (
        <Drawing points={points} width={width} index={index} dragIndex={dragStart && points.indexOf(dragStart)} />
      )}
    </div>
  )
}

interface DrawingProps {
  points: readonly BalancePoint[]
  width: number
  /** Index of the point at the cursor, and of the one where a selection began. */
  index: number
  dragIndex: number | undefined
}

function Drawing({ points, width, index, dragIndex }: DrawingProps) {
  const format = useFormat()
  const { xOf, yOf, left, right, bottom, balances } = plotOf(points, [width, HEIGHT], format.delta)
  const { dates, areMonths } = dateTicks(points, right - left)
  const line = points.map(({ balanceMs }, at) => `${xOf(at)},${yOf(balanceMs)}`).join(' ')
  const cursorX = xOf(index)
  return (
    <svg className={classes.drawing} width={width} height={HEIGHT} aria-hidden>
      {balances.map((balanceMs) => (
        <g key={balanceMs}>
          <line
            className={classes.grid}
            data-zero={balanceMs === 0 || undefined}
            x1={left}
            x2={right}
            y1={yOf(balanceMs)}
            y2={yOf(balanceMs)}
          />
          <text x={left - LABEL_GAP} y={yOf(balanceMs)} textAnchor="end" dominantBaseline="central">
            {format.delta(balanceMs)}
          </text>
        </g>
      ))}
      {dates.map((date) => (
        <text
          key={date}
          x={Math.min(xOf(points.findIndex((point) => point.date === date)), width - DATE_WIDTH / 2)}
          y={HEIGHT}
          textAnchor="middle"
          dy={-6}
        >
          {format.date(date, areMonths ? 'month' : 'short')}
        </text>
      ))}
      <polygon className={classes.area} points={`${xOf(0)},${yOf(0)} ${line} ${xOf(points.length - 1)},${yOf(0)}`} />
      <polyline className={classes.line} points={line} />
      {dragIndex !== undefined && (
        <rect
          className={classes.selected}
          x={Math.min(xOf(dragIndex), cursorX)}
          width={Math.abs(xOf(dragIndex) - cursorX)}
          y={margin.top}
          height={bottom - margin.top}
        />
      )}
      <line className={classes.cursor} x1={cursorX} x2={cursorX} y1={margin.top} y2={bottom} />
      <circle className={classes.dot} cx={cursorX} cy={yOf((points[index] as BalancePoint).balanceMs)} r={4} />
    </svg>
  )
}
