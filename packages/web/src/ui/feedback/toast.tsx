import { type NotificationData, Notifications, notifications } from '@mantine/notifications'
import classes from './toast.module.css'

/** Shows a short message, which replaces the last one. */
export function showToast(toast: NotificationData): void {
  notifications.clean()
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
