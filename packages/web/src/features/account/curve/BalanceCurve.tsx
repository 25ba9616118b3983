import { ActionIcon, Button, SegmentedControl, Title } from '@mantine/core'
import type { DateRange, LocalDate } from '@saldo/core'
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { type BalancePoint, thinned } from '../ledger.ts'
import classes from './BalanceCurve.module.css'
import { CurveChart } from './CurveChart.tsx'
import { MonthTable } from './MonthTable.tsx'
import { isSame, lastDays, moved, type Span, spans, zoomed } from './zoom.ts'

const MOST_POINTS = 400

/** The balance over the years: a curve that is read by mouse and by keys, and the table behind it. */
export default function BalanceCurve({ curve }: { curve: readonly BalancePoint[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const whole = useMemo(() => ({ from: curve[0]?.date ?? '', to: curve.at(-1)?.date ?? '' }), [curve])
  const [wanted, setWanted] = useState<Span | DateRange>('year')
  const [isTable, setTable] = useState(false)
  const [chosen, setChosen] = useState<LocalDate>()
  const range = typeof wanted === 'string' ? lastDays(whole, wanted) : wanted
  const inRange = useMemo(
    () => curve.filter(({ date }) => date >= range.from && date <= range.to),
    [curve, range.from, range.to],
  )
  const points = useMemo(() => thinned(inRange, MOST_POINTS), [inRange])
  const last = points.at(-1)
  const cursor = points.findLast(({ date }) => chosen !== undefined && date <= chosen) ?? last
  if (!cursor) return null
  const zoom = (direction: 'in' | 'out') => setWanted(zoomed(range, whole, cursor.date, direction))
  const move = (direction: -1 | 1) => setWanted(moved(range, whole, direction))
  return (
    <section className={classes.curve} aria-labelledby="curve">
      <div className={classes.head}>
        <Title order={2} id="curve">
          {t('account.curve.title')}
        </Title>
        <Button variant="subtle" size="compact-md" aria-pressed={isTable} onClick={() => setTable(!isTable)}>
          {t(isTable ? 'account.curve.asCurve' : 'account.curve.asTable')}
        </Button>
      </div>
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label={t('account.curve.span.label')}
          value={typeof wanted === 'string' ? wanted : ''}
          onChange={(span) => setWanted(span as Span)}
          data={Object.keys(spans).map((span) => ({ value: span, label: t(`account.curve.span.${span}`) }))}
        />
        <div className={classes.steps}>
          <Step label={t('account.curve.earlier')} icon={IconChevronLeft} onClick={() => move(-1)} />
          <Step label={t('account.curve.later')} icon={IconChevronRight} onClick={() => move(1)} />
          <Step label={t('account.curve.zoomIn')} icon={IconZoomIn} onClick={() => zoom('in')} />
          <Step
            label={t('account.curve.zoomOut')}
            icon={IconZoomOut}
            isOff={isSame(range, whole)}
            onClick={() => zoom('out')}
          />
        </div>
        <span className={classes.range}>{format.dateRange(range)}</span>
      </div>
      {isTable ? (
        <MonthTable curve={inRange} />
      ) : (
        <>
          <p className={classes.readout} aria-hidden>
            {format.date(cursor.date, 'full')}
            <strong>{format.delta(cursor.balanceMs)}</strong>
          </p>
          <CurveChart
            points={points}
            cursor={cursor}
            onCursor={setChosen}
            onZoom={zoom}
            onSpan={(from, to) => setWanted({ from, to })}
          />
          <p className={classes.help}>{t('account.curve.help')}</p>
        </>
      )}
    </section>
  )
}

interface StepProps {
  label: string
  icon: typeof IconZoomIn
  isOff?: boolean
  onClick: () => void
}

function Step({ label, icon: Icon, isOff = false, onClick }: StepProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} disabled={isOff} onClick={onClick}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}
