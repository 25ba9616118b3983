import { Button, Paper, Text } from '@mantine/core'
import { HOUR_MS } from '@saldo/core'
import { useEffect, useState } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import classes from './UpdatePrompt.module.css'

const LOOK_EVERY_MS = HOUR_MS

/** Registers the service worker, and asks before a newer version takes over, so that no open edit is lost. */
export function UpdatePrompt() {
  const { t } = useTranslation()
  const [newer, setNewer] = useState<ServiceWorkerRegistration>()
  useEffect(() => void register(setNewer), [])
  const [isUpdating, setUpdating] = useState(false)
  if (!newer) return null
  const update = () => {
    // The older version first finishes its requests, which can take a while.
    setUpdating(true)
    newer.waiting?.postMessage({ type: 'SKIP_WAITING' })
  }
  return (
    <Paper role="status" data-covers-page className={classes.prompt} shadow="lg" withBorder>
      <Text fw={600}>{t('app.update.ready')}</Text>
      <Button size="compact-sm" loading={isUpdating} onClick={update}>
        {t('app.update.now')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => setNewer(undefined)}>
        {t('app.update.later')}
      </Button>
    </Paper>
  )
}

/** Registers the service worker. Calls `onNewer` when a newer version waits; the page reloads once it takes over. */
async function register(onNewer: (registration: ServiceWorkerRegistration) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  // A browser that refuses it, as in a private window, still shows the app while there is a network.
  const registration = await serviceWorker.register('/sw.js').catch(() => undefined)
  if (!registration) return
  const offer = () => {
    // A page that no version controls holds up none.
    if (!registration.waiting || !serviceWorker.controller) return
    serviceWorker.addEventListener('controllerchange', reload)
    onNewer(registration)
  }
  const follow = () => registration.installing?.addEventListener('statechange', offer)
  registration.addEventListener('updatefound', follow)
  follow()
  offer()
  setInterval(() => navigator.onLine && void registration.update(), LOOK_EVERY_MS)
}

const reload = () => location.reload()
