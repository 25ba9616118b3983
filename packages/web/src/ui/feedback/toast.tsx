import type { NotificationData } from '@mantine/notifications'
import { Suspense, useSyncExternalStore } from 'react'
import { painted } from '../../context/after-paint.ts'
import { later } from '../later.tsx'
import classes from './toast.module.css'

const { Component: Toasts } = later(async () => ({ default: (await import('@mantine/notifications')).Notifications }))

let isNeeded = false
const listeners = new Set<() => void>()

/** Shows a short message in the place of the one before, once what it tells of is painted. Returns what hides it. */
export async function showToast(toast: NotificationData): Promise<() => void> {
  const [{ notifications }] = await Promise.all([import('@mantine/notifications'), painted()])
  isNeeded = true
  for (const listener of listeners) listener()
  notifications.clean()
  const id = notifications.show(toast)
  return () => notifications.hide(id)
}

export async function hideToasts(): Promise<void> {
  if (isNeeded) (await import('@mantine/notifications')).notifications.clean()
}

/** Where messages appear; loaded with the first of them. */
export function ToastPlace() {
  const isThere = useSyncExternalStore(subscribe, () => isNeeded)
  return isThere ? (
    <Suspense>
      <Toasts position="bottom-center" withinPortal={false} transitionDuration={0} className={classes.toasts ?? ''} />
    </Suspense>
  ) : null
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
