import { Button, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import classes from '../SyncView.module.css'
import { type BrowserStorage, formatBytes, readStorage, requestPersistence } from './browser-storage.ts'

/** Shows how much is stored on this device, and whether the browser may delete it. */
export function StorageSection() {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const [storage, setStorage] = useState<BrowserStorage>()
  const [isDenied, setDenied] = useState(false)
  useEffect(() => void readStorage().then(setStorage), [])
  if (!storage) return null

  const { usedBytes, quotaBytes, isPersistent } = storage
  const used = formatBytes(usedBytes, locale)
  const ask = async () => {
    setDenied(!(await requestPersistence()))
    setStorage(await readStorage())
  }
  return (
    <section className={classes.section} aria-labelledby="sync-storage">
      <Title order={2} id="sync-storage">
        {t('sync.storage.title')}
      </Title>
      <Text>
        {quotaBytes === null
          ? t('sync.storage.used', { used })
          : t('sync.storage.usedOf', { used, most: formatBytes(quotaBytes, locale) })}{' '}
        {isPersistent ? t('sync.storage.kept') : t('sync.storage.notKept')}
      </Text>
      {!isPersistent && (
        <div>
          <Button variant="default" onClick={() => void ask()}>
            {t('sync.storage.keep')}
          </Button>
        </div>
      )}
      <div role="status">{isDenied && <Text c="dimmed">{t('sync.storage.denied')}</Text>}</div>
    </section>
  )
}
