import type { PasskeyRow } from '@saldo/client'
import { epochMs } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import classes from '../account/rows.module.css'

/** What a passkey is called, since when it is there, and when it was last used. */
export function PasskeyWords({ passkey }: { passkey: PasskeyRow }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { name, created_at, last_used_at } = passkey
  return (
    <div className={classes.what}>
      <div className={classes.name}>{name}</div>
      <div className={classes.when}>
        {t('settings.passkeys.added', { when: format.dateTime(epochMs(created_at)) })}
        {', '}
        {last_used_at === null
          ? t('settings.passkeys.unused')
          : t('settings.passkeys.used', { when: format.dateTime(epochMs(last_used_at)) })}
      </div>
    </div>
  )
}
