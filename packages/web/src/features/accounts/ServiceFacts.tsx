import type { Accounts } from '@saldo/client/accounts'
import { epochMs } from '@saldo/core'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useResource } from '../../ui/useResource.ts'
import classes from './AccountsView.module.css'

/** The state of the service, which its operator configures. */
export function ServiceFacts({ accounts }: { accounts: Accounts }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { answer } = useResource(useCallback(() => accounts.service(), [accounts]))
  if (!answer) return null
  const { build, protocol, signup, database, mail } = answer
  const facts = [
    ['version', t('settings.about.version', { build, protocol })],
    ['signup', t(`accounts.service.signups.${signup}`)],
    ['database', t(`accounts.service.databases.${database}`)],
    ['mail', t(mail.on ? 'accounts.service.mailOn' : 'accounts.service.mailOff')],
  ] as const
  return (
    <section className={classes.service} aria-label={t('accounts.service.title')}>
      <h2>{t('accounts.service.title')}</h2>
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
