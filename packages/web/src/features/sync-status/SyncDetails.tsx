import { Button } from '@mantine/core'
import type { Status } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import { MINUTE_MS } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { correctedMs, useDeviceNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Notice } from '../../ui/Notice.tsx'
import classes from './SyncDetails.module.css'
import { errorKey, isBlocked, notificationsOf } from './sync-status-model.ts'
import { useSyncSummary } from './useSyncSummary.ts'

const SignInAgain = lazy(() => import('../../domain/session/SignInAgain.tsx'))

/** Shows the state of sync: a summary, problems, and when and how this device last synced. */
export function SyncDetails({ status }: { status: Status }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const format = useFormat()
  const nowMs = useDeviceNow(MINUTE_MS)
  const { text, Icon, isUrgent } = useSyncSummary(status)
  const [isSigningIn, setSigningIn] = useState(false)
  const { lastSuccessMs, lastError, divergence } = status
  return (
    <div className={classes.details}>
      <div className={classes.summary}>
        <span className={classes.icon} data-urgent={isUrgent || undefined}>
          <Icon size={26} stroke={1.75} aria-hidden />
        </span>
        <p className={classes.text} aria-live="polite">
          {text}
        </p>
        {status.needsSignIn ? (
          <Button onClick={() => setSigningIn(true)}>{t('sync.signInAgain')}</Button>
        ) : (
          <Button variant="default" loading={status.syncing} onClick={() => void saldo.sync()}>
            {t('sync.now')}
          </Button>
        )}
      </div>
      {lastError?.code === 'coldStartsFailed' && <Notice>{t('sync.broken')}</Notice>}
      {status.unreadable ? <Notice>{t('sync.unreadable', { count: status.unreadable })}</Notice> : null}
      {divergence?.isHealed === false && <Notice>{t('sync.differs')}</Notice>}
      <dl className={classes.facts}>
        <div>
          <dt>{t('sync.last')}</dt>
          <dd>
            {lastSuccessMs === null
              ? t('sync.never')
              : t('sync.ago', {
                  age: format.age(Math.max(0, nowMs - lastSuccessMs)),
                  when: format.dateTime(correctedMs(lastSuccessMs)),
                })}
          </dd>
        </div>
        <div>
          <dt>{t('sync.notifications.title')}</dt>
          <dd>{t(`sync.notifications.${notificationsOf(status)}`)}</dd>
        </div>
        {divergence?.isHealed && (
          <div>
            <dt>{t('sync.repaired.title')}</dt>
            <dd>{t('sync.repaired.when', { when: format.dateTime(divergence.foundAtMs) })}</dd>
          </div>
        )}
        {lastError && isBlocked(status) && (
          <div>
            <dt>{t('sync.lastError')}</dt>
            <dd>{t(errorKey(lastError, status), { detail: lastError.detail })}</dd>
          </div>
        )}
      </dl>
      {isSigningIn && status.needsSignIn && (
        <Suspense>
          <SignInAgain onClose={() => setSigningIn(false)} />
        </Suspense>
      )}
    </div>
  )
}
