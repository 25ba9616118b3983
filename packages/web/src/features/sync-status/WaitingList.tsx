import { Text, Title } from '@mantine/core'
import { MINUTE_MS } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../context/clock.tsx'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { EditLine } from './EditLine.tsx'
import classes from './SyncView.module.css'

const MOST_SHOWN = 100

/** What is on this device only, in the order in which it is sent. */
export function WaitingList() {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const waiting = useLive(useMemo(() => saldo.outbox.list(), [saldo]))
  if (!waiting || waiting.length === 0) return null
  const more = waiting.length - MOST_SHOWN
  return (
    <section className={classes.section} aria-labelledby="sync-waiting">
      <Title order={2} id="sync-waiting">
        {t('sync.outbox.title')}
      </Title>
      <Text c="dimmed">{t('sync.outbox.lead')}</Text>
      <ul className={classes.list}>
        {waiting.slice(0, MOST_SHOWN).map((row) => (
          <li key={`${row.kind} ${row.id}`} className={classes.row}>
            <EditLine edit={row} />
            <span className={classes.when}>
              {t('sync.outbox.since', { age: format.age(Math.max(0, nowMs - row.queuedAtMs)) })}
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <Text c="dimmed">{t('sync.outbox.more', { count: more })}</Text>}
    </section>
  )
}
