import { Button, Text, Title } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import classes from '../SyncView.module.css'
import { formatBytes } from './bytes.ts'
import { keepStored, readStored, type Stored } from './storage.ts'

/** How much is stored on this device, and whether the browser may delete it. */
export function StorageSection() {
  const { t } = useTranslation()
  const { locale } = useFormat()
  const [stored, setStored] = useState<Stored>()
  const [isDenied, setDenied] = useState(false)
  useEffect(() => void readStored().then(setStored), [])
  if (!stored) return null

  const { usedBytes, mostBytes, isKept } = stored
  const used = formatBytes(usedBytes, locale)
  const ask = async () => {
    setDenied(!(await keepStored()))
    setStored(await readStored())
  }
  return (
    <section className={classes.section} aria-labelledby="sync-storage">
      <Title order={2} id="sync-storage">
        {t('sync.storage.title')}
      </Title>
      <Text>
        {mostBytes === null
          ? t('sync.storage.used', { used })
          : t('sync.storage.usedOf', { used, most: formatBytes(mostBytes, locale) })}{' '}
        {isKept ? t('sync.storage.kept') : t('sync.storage.notKept')}
      </Text>
      {!isKept && (
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
