import { useRegisterSW } from 'virtual:pwa-register/react'
import { Button, Paper, Text } from '@mantine/core'
import { HOUR_MS } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './UpdatePrompt.module.css'

const LOOK_EVERY_MS = HOUR_MS

/** Registers the service worker, and asks before a newer version takes over, so that no open edit is lost. */
export function UpdatePrompt() {
  const { t } = useTranslation()
  const {
    needRefresh: [isReady, setReady],
    updateServiceWorker,
  } = useRegisterSW({
    onRegisteredSW(_url, registration) {
      if (registration) setInterval(() => navigator.onLine && void registration.update(), LOOK_EVERY_MS)
    },
  })
  const [isUpdating, setUpdating] = useState(false)
  if (!isReady) return null
  const update = () => {
    // The older version first finishes its requests, which can take a while.
    setUpdating(true)
    void updateServiceWorker()
  }
  return (
    <Paper role="status" data-covers-page className={classes.prompt} shadow="lg" withBorder>
      <Text fw={600}>{t('app.update.ready')}</Text>
      <Button size="compact-sm" loading={isUpdating} onClick={update}>
        {t('app.update.now')}
      </Button>
      <Button size="compact-sm" variant="subtle" onClick={() => setReady(false)}>
        {t('app.update.later')}
      </Button>
    </Paper>
  )
}
