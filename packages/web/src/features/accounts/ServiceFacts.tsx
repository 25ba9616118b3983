import { epochMs, type ServiceState } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { Notice } from '../../ui/Notice.tsx'
import classes from './AccountsView.module.css'

const MEGABYTE = 1_000_000
const GIGABYTE = 1_000 * MEGABYTE
/** Less free space than this needs somebody to act soon. */
const LITTLE_ROOM_BYTES = 500 * MEGABYTE

/** The state of the service, which its operator configures. */
export function ServiceFacts({ service }: { service: ServiceState }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { build, protocol, signup, database, mail, storage } = service
  const { size_bytes, free_bytes, last_backup_at } = storage
  const sizeText = (bytes: number) =>
    bytes < GIGABYTE
      ? t('accounts.megabytes', { size: format.number(bytes / MEGABYTE) })
      : t('accounts.gigabytes', { size: format.number(Math.round(bytes / GIGABYTE)) })
  const sizes = { size: sizeText(size_bytes), free: sizeText(free_bytes ?? 0) }
  const backup =
    last_backup_at === null
      ? t('accounts.service.noBackup')
      : t('accounts.service.backupAt', { when: format.dateTime(epochMs(last_backup_at)) })
  const facts = [
    ['version', t('settings.about.version', { build, protocol })],
    ['signup', t(`accounts.service.signups.${signup}`)],
    ['database', t(`accounts.service.databases.${database}`)],
    ['storage', t(free_bytes === null ? 'accounts.service.stored' : 'accounts.service.storedWithRoom', sizes)],
    // PostgreSQL is backed up by its own tools.
    ...(database === 'sqlite' ? [['backup', backup] as const] : []),
    ['mail', t(mail.on ? 'accounts.service.mailOn' : 'accounts.service.mailOff')],
  ] as const
  return (
    <section className={classes.service} aria-label={t('accounts.service.title')}>
      <h2>{t('accounts.service.title')}</h2>
      {free_bytes !== null && free_bytes < LITTLE_ROOM_BYTES && (
        <Notice>{t('accounts.service.littleRoom', sizes)}</Notice>
      )}
      {mail.last_failure && (
        <Notice>
          {t('accounts.service.mailFailed', {
            when: format.dateTime(epochMs(mail.last_failure.at)),
            reason: mail.last_failure.reason,
          })}
        </Notice>
      )}
      <dl className={classes.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{t(`accounts.service.${name}`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.email}>{t('accounts.service.operator')}</p>
    </section>
  )
}
