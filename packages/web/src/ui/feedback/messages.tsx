import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import { useSyncExternalStore } from 'react'
import classes from './toast.module.css'

/** Shows a short message, which replaces the last one. */
export function showToast(toast: NotificationData): void {
  notifications.clean()
  // oxlint-disable-next-line typescript/no-unsafe-argument -- the linter does not resolve this type, the compiler does
  notifications.show(toast)
}

export function hideToasts(): void {
  notifications.clean()
}

/** The place where short messages appear. It is always there, because screen readers miss the text of a new one. */
export function ToastPlace() {
  return (
    <div role="status" aria-atomic={false}>
      <Notifications
        position="bottom-center"
        withinPortal={false}
        transitionDuration={0}
        className={classes.toasts ?? ''}
      />
    </div>
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
