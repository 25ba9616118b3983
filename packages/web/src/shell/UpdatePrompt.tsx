import { Button, Paper, Text } from '@mantine/core'
import { HOUR_MS } from '@saldo/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Workbox } from 'workbox-window'
import classes from './UpdatePrompt.module.css'

const LOOK_EVERY_MS = HOUR_MS

/** Registers the service worker, and asks before a newer version takes over, so that no open edit is lost. */
export function UpdatePrompt() {
  const { t } = useTranslation()
  const [newer, setNewer] = useState<Workbox>()
  useEffect(() => void register(setNewer), [])
  const [isUpdating, setUpdating] = useState(false)
  if (!newer) return null
  const update = () => {
    // The older version first finishes its requests, which can take a while.
    setUpdating(true)
    newer.messageSkipWaiting()
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
async function register(onNewer: (workbox: Workbox) => void): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { Workbox } = await import('workbox-window')
  const workbox = new Workbox('/sw.js')
  workbox.addEventListener('waiting', () => {
    workbox.addEventListener('controlling', () => location.reload())
    onNewer(workbox)
  })
  // A browser that refuses it, as in a private window, still shows the app while there is a network.
  const registration = await workbox.register({ immediate: true }).catch(() => undefined)
  if (registration) setInterval(() => navigator.onLine && void registration.update(), LOOK_EVERY_MS)
}
