import { Button } from '@mantine/core'
import { type NotificationData, notifications, useNotifications } from '@mantine/notifications'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { useTranslation } from '../../i18n/translation.ts'

// A page without a network must not fail for a message that says so.
const Toasts = lazy(() => import('./Toasts.tsx').catch(() => ({ default: PlainToasts })))

/** Shows a short message, which replaces the last one. */
export function showToast(toast: NotificationData): void {
  notifications.clean()
  // oxlint-disable-next-line typescript/no-unsafe-argument -- the linter does not resolve this type, the compiler does
  notifications.show(toast)
}

export function hideToasts(): void {
  notifications.clean()
}

/**
 * The place where short messages appear. It is always there, because screen readers miss the text of a new one; what
 * draws them comes with the first.
 */
export function ToastPlace() {
  const { notifications } = useNotifications()
  const [wasNeeded, setNeeded] = useState(false)
  if (notifications.length > 0 && !wasNeeded) setNeeded(true)
  return (
    <div role="status" aria-atomic={false}>
      {wasNeeded && (
        <Suspense>
          <Toasts />
        </Suspense>
      )}
    </div>
  )
}

/** The messages without what draws them, if that cannot be loaded. */
function PlainToasts() {
  const { t } = useTranslation()
  const { notifications: shown } = useNotifications()
  return (
    <>
      {shown.map(({ id, message }) => (
        <div
          key={id}
          style={{ position: 'sticky', bottom: 0, padding: '0.75rem', background: 'var(--mantine-color-body)' }}
        >
          {message}{' '}
          <Button size="compact-sm" variant="default" onClick={hideToasts}>
            {t('ui.close')}
          </Button>
        </div>
      ))}
    </>
  )
}

let latest = { text: '', count: 0 }
const listeners = new Set<() => void>()

/** Lets screen readers say a text, once what they say now is over. */
export function tellScreenReader(text: string): void {
  latest = { text, count: latest.count + 1 }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of announcements. It is always there, because screen readers miss the text of a new place. */
export function Announcer() {
  const { text, count } = useSyncExternalStore(subscribe, () => latest)
  return (
    <p role="status" className="visually-hidden">
      <span key={count}>{text}</span>
    </p>
  )
}
