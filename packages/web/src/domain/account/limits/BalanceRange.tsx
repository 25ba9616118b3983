import type { DurationMs } from '@saldo/core'
import { useTranslation } from '../../../i18n/translation.ts'
import { IconAlertOctagon, IconAlertTriangle, IconCircleCheck } from '../../../ui/icons.ts'
import { useColor } from '../TimelineProvider.tsx'
import classes from './BalanceRange.module.css'

const icons = { green: IconCircleCheck, yellow: IconAlertTriangle, red: IconAlertOctagon }

/** Tells by words, icon and colour in which range a balance is; nothing without limits. */
export function BalanceRange({ balanceMs }: { balanceMs: DurationMs }) {
  const { t } = useTranslation()
  const color = useColor(balanceMs)
  if (!color) return null
  const Icon = icons[color]
  return (
    <span className={classes.range} data-color={color}>
      <Icon className={classes.icon} size="1.1em" stroke={2} aria-hidden />
      {t(`limits.in.${color}`)}
    </span>
  )
}
