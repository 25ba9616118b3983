import { ActionIcon, Button, SegmentedControl, Title } from '@mantine/core'
import type { BalancePoint } from '@saldo/client/account'
import type { DateRange, LocalDate } from '@saldo/core'
import { useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { IconChevronLeft, IconChevronRight, IconZoomIn, IconZoomOut } from '../../../ui/icons.ts'
import classes from './BalanceCurve.module.css'
import { CurveChart } from './CurveChart.tsx'
import { type CurveSpan, moved, shownCurve, spans, zoomed } from './curve-model.ts'
import { CurveTable } from './MonthTable.tsx'

/** Shows the balance over time, as a curve or as a table of months. */
export default function BalanceCurve({ curve }: { curve: readonly BalancePoint[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [choice, setChoice] = useState<CurveSpan | DateRange>('year')
  const [isTable, setTable] = useState(false)
  const [cursorDate, setCursorDate] = useState<LocalDate>()
  const shown = shownCurve(curve, choice, cursorDate)
  if (!shown) return null
  const { whole, range, isWhole, inRange, points, cursor } = shown
  const zoom = (direction: 'in' | 'out') => setChoice(zoomed(range, whole, cursor.date, direction))
  const move = (direction: -1 | 1) => setChoice(moved(range, whole, direction))
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
          value={typeof choice === 'string' ? choice : ''}
          onChange={(span) => setChoice(span as CurveSpan)}
          data={Object.keys(spans).map((span) => ({ value: span, label: t(`account.curve.span.${span}`) }))}
        />
        <div className={classes.buttons}>
          <CurveButton label={t('account.curve.earlier')} icon={IconChevronLeft} onClick={() => move(-1)} />
          <CurveButton label={t('account.curve.later')} icon={IconChevronRight} onClick={() => move(1)} />
          <CurveButton label={t('account.curve.zoomIn')} icon={IconZoomIn} onClick={() => zoom('in')} />
          <CurveButton
            label={t('account.curve.zoomOut')}
            icon={IconZoomOut}
            isDisabled={isWhole}
            onClick={() => zoom('out')}
          />
        </div>
        <span className={classes.range}>{format.dateRange(range)}</span>
      </div>
      {isTable ? (
        <CurveTable curve={inRange} />
      ) : (
        <>
          <p className={classes.readout} aria-hidden>
            {format.date(cursor.date, 'full')}
            <strong>{format.delta(cursor.balanceMs)}</strong>
          </p>
          <CurveChart points={points} cursor={cursor} onCursor={setCursorDate} onZoom={zoom} onSpan={setChoice} />
          <p className={classes.help}>{t('account.curve.help')}</p>
        </>
      )}
    </section>
  )
}

interface CurveButtonProps {
  label: string
  icon: typeof IconZoomIn
  isDisabled?: boolean
  onClick: () => void
}

function CurveButton({ label, icon: Icon, isDisabled = false, onClick }: CurveButtonProps) {
  return (
    <ActionIcon variant="subtle" color="gray" aria-label={label} title={label} disabled={isDisabled} onClick={onClick}>
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}
