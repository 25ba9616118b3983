import { epochMs, type ServiceState } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './UserAccountsView.module.css'

const MEGABYTE = 1_000_000
const GIGABYTE = 1_000 * MEGABYTE
/** Less free space than this needs somebody to act soon. */
const LITTLE_ROOM_BYTES = 500 * MEGABYTE

/** The state of the service, which its operator configures. */
export function ThisServer({ service }: { service: ServiceState }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { build, protocol, signup, database, mail, storage } = service
  const { size_bytes, free_bytes, last_backup_at } = storage
  const sizeText = (bytes: number) =>
    bytes < GIGABYTE
      ? t('userAccounts.megabytes', { size: format.number(bytes / MEGABYTE) })
      : t('userAccounts.gigabytes', { size: format.number(Math.round(bytes / GIGABYTE)) })
  const sizes = { size: sizeText(size_bytes), free: sizeText(free_bytes ?? 0) }
  const backup =
    last_backup_at === null
      ? t('userAccounts.service.noBackup')
      : t('userAccounts.service.backupAt', { when: format.dateTime(epochMs(last_backup_at)) })
  const facts = [
    ['version', t('settings.about.version', { build, protocol })],
    ['signup', t(`userAccounts.service.signups.${signup}`)],
    ['database', t(`userAccounts.service.databases.${database}`)],
    ['storage', t(free_bytes === null ? 'userAccounts.service.stored' : 'userAccounts.service.storedWithRoom', sizes)],
    // PostgreSQL is backed up by its own tools.
    ...(database === 'sqlite' ? [['backup', backup] as const] : []),
    ['mail', t(mail.on ? 'userAccounts.service.mailOn' : 'userAccounts.service.mailOff')],
  ] as const
  return (
    <section className={classes.service} aria-label={t('userAccounts.service.title')}>
      <h2>{t('userAccounts.service.title')}</h2>
      {free_bytes !== null && free_bytes < LITTLE_ROOM_BYTES && (
        <Notice>{t('userAccounts.service.littleRoom', sizes)}</Notice>
      )}
      {mail.last_failure && (
        <Notice>
          {t('userAccounts.service.mailFailed', {
            when: format.dateTime(epochMs(mail.last_failure.at)),
            reason: mail.last_failure.reason,
          })}
        </Notice>
      )}
      <dl className={classes.facts}>
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{t(`userAccounts.service.${name}`)}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.email}>{t('userAccounts.service.operator')}</p>
    </section>
  )
}
