import { UnstyledButton } from '@mantine/core'
import { MINUTE_MS } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useNow } from '../../context/clock.tsx'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import classes from './SyncIndicator.module.css'
import { useKeptStored } from './storage/useKeptStored.ts'
import { isUrgent, summaryIcons } from './summary-look.ts'
import { summaryOf } from './sync-summary.ts'
import { useSummaryText } from './useSummaryText.ts'

const SignInAgain = lazy(() => import('../../domain/session/SignInAgain.tsx'))

/** Says where what was entered is saved, everywhere in the app, and leads to more. It never says more than is so. */
export function SyncIndicator() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const status = useLive(saldo.status)
  const nowMs = useNow(MINUTE_MS)
  const { text, brief } = useSummaryText()
  const [isSigningIn, setSigningIn] = useState(false)
  useKeptStored(status)
  if (!status) return null

  const summary = summaryOf(status, nowMs)
  const Icon = summaryIcons[summary.kind]
  const isSignIn = summary.kind === 'signIn'
  const looks = {
    className: classes.indicator ?? '',
    'data-urgent': isUrgent(summary) || undefined,
    'data-kind': summary.kind,
  }
  const inside = (
    <>
      <Icon size={20} stroke={1.75} aria-hidden />
      <span className={classes.text}>{text(summary)}</span>
      <span className={classes.brief} aria-hidden>
        {brief(summary)}
      </span>
    </>
  )
  return (
    <div role="status" className={classes.place}>
      {isSignIn ? (
        <UnstyledButton {...looks} title={t('sync.signInAgain')} onClick={() => setSigningIn(true)}>
          {inside}
        </UnstyledButton>
      ) : (
        <Link {...looks} href="/sync" title={t('sync.title')} onClick={() => void saldo.sync()}>
          {inside}
        </Link>
      )}
      {isSigningIn && isSignIn && (
        <Suspense>
          <SignInAgain onClose={() => setSigningIn(false)} />
        </Suspense>
      )}
    </div>
  )
}
