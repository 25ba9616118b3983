import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { heatBorders } from './calendar-model.ts'
import classes from './HeatLegend.module.css'

/** Explains the colours of the days. */
export function HeatLegend() {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className={classes.legend}>
      <span>{t('calendar.heat')}</span>
      <ul className={classes.steps}>
        {heatBorders.map((border, index) => {
          const next = heatBorders[index + 1]
          return (
            <li key={border} className={classes.step}>
              <span className={classes.swatch} data-heat={index + 1} aria-hidden />
              {next === undefined
                ? t('calendar.heatAbove', { time: format.duration(border) })
                : t('calendar.heatUpTo', { time: format.duration(next) })}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
