import { UnstyledButton } from '@mantine/core'
import type { Status } from '@saldo/client'
import { useSaldo, useSyncStatus } from '@saldo/client/react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './SyncIndicator.module.css'
import { usePersistentStorage } from './storage/browser-storage.ts'
import { isSpoken } from './sync-status-model.ts'
import { useSyncSummary } from './useSyncSummary.ts'

const SignInAgain = lazy(() => import('../../domain/session/SignInAgain.tsx'))

/** Shows in every view whether everything is saved on the service, and leads to the details. */
export function SyncIndicator() {
  const status = useSyncStatus()
  return status && <Indicator status={status} />
}

function Indicator({ status }: { status: Status }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { kind, text, brief, Icon, isUrgent } = useSyncSummary(status)
  const [isSigningIn, setSigningIn] = useState(false)
  usePersistentStorage(status)
  const props = {
    className: classes.indicator ?? '',
    'data-urgent': isUrgent || undefined,
    'data-kind': kind,
    children: (
      <>
        <Icon size={20} stroke={1.75} aria-hidden />
        <span className={classes.text}>{text}</span>
        <span className={classes.brief} aria-hidden>
          {brief}
        </span>
      </>
    ),
  }
  return (
    <div role="status" aria-live={isSpoken(kind, isUrgent) ? 'polite' : 'off'} className={classes.place}>
      {kind === 'signIn' ? (
        <UnstyledButton {...props} title={t('sync.signInAgain')} onClick={() => setSigningIn(true)} />
      ) : (
        <Link {...props} href="/sync" title={t('sync.title')} onClick={() => void saldo.sync()} />
      )}
      {isSigningIn && kind === 'signIn' && (
        <Suspense>
          <SignInAgain onClose={() => setSigningIn(false)} />
        </Suspense>
      )}
    </div>
  )
}
