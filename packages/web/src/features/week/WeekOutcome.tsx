import { netWorkMs } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './WeekOutcome.module.css'
import type { WeekSums } from './week-days.ts'

/** Shows the worked time, the delta and the time left of a week. */
export function WeekOutcome({ sums: { all, over, isOver } }: { sums: WeekSums }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <dl className={classes.outcome}>
      <div>
        <dt>{t('week.outcome.worked')}</dt>
        <dd>
          {format.duration(netWorkMs(all))}
          <span className={classes.of}>{t('week.outcome.of', { target: format.duration(all.target_ms) })}</span>
          {all.credited_ms > 0 && (
            <span className={classes.of}>{t('week.folded.credited', { time: format.duration(all.credited_ms) })}</span>
          )}
        </dd>
      </div>
      <div>
        <dt>{t(`week.outcome.${isOver ? 'whole' : 'finished'}`)}</dt>
        <dd>{format.delta(over.delta_ms)}</dd>
      </div>
      {!isOver && all.delta_ms < 0 && (
        <div>
          <dt>{t('week.outcome.left')}</dt>
          <dd>{format.timeLeft(all.delta_ms)}</dd>
        </div>
      )}
    </dl>
  )
}
