import type { DayFigures } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './Ring.module.css'
import { ringOf } from './today-model.ts'

const SIZE = 208
const WIDTH = 13
const RADIUS = (SIZE - WIDTH) / 2
const LENGTH = 2 * Math.PI * RADIUS

/** Worked against target. What is above the target goes round once more, darker. */
export function Ring({ figures, isToday }: { figures: DayFigures; isToday: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { countedMs, targetMs, share, beyond } = ringOf(figures)
  const counted = isToday ? format.stopwatch(countedMs) : format.duration(countedMs)
  const label = t('today.ring.label', { worked: format.duration(countedMs), target: format.duration(targetMs) })
  return (
    <figure className={classes.ring}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} role="img" aria-label={label}>
        <g fill="none" strokeWidth={WIDTH} transform={`rotate(-90 ${SIZE / 2} ${SIZE / 2})`}>
          <circle className={classes.track} cx={SIZE / 2} cy={SIZE / 2} r={RADIUS} />
          <Arc className={classes.done} share={share} />
          <Arc className={classes.beyond} share={beyond} />
        </g>
      </svg>
      <figcaption className={classes.caption} aria-hidden>
        <span className={classes.counted}>{counted}</span>
        <span className={classes.target}>
          {targetMs > 0 ? t('today.ring.of', { target: format.duration(targetMs) }) : t('today.ring.noTarget')}
        </span>
      </figcaption>
    </figure>
  )
}

function Arc({ className, share }: { className: string | undefined; share: number }) {
  if (share === 0) return null
  return (
    <circle
      className={className}
      cx={SIZE / 2}
      cy={SIZE / 2}
      r={RADIUS}
      strokeLinecap="round"
      strokeDasharray={`${share * LENGTH} ${LENGTH}`}
    />
  )
}
