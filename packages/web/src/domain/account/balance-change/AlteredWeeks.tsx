import { Button, ScrollArea, Text, Title } from '@mantine/core'
import type { AlteredWeek, BalancePreview } from '@saldo/client'
import { mondayOf } from '@saldo/core'
import { useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import tables from '../../../ui/table.module.css'
import classes from './AlteredWeeks.module.css'

/** The weeks that are listed at first. */
const SHOWN_WEEKS = 52

interface Props {
  /** `undefined` while it is computed. */
  preview: BalancePreview | undefined
}

/** Says how a change alters the balance. */
export function BalanceChange({ preview }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const isAltered = preview && preview.weeks.length > 0
  return (
    <Text aria-live="polite" c={isAltered ? 'var(--saldo-ink)' : 'dimmed'}>
      {!preview && t('balanceChange.loading')}
      {preview && !isAltered && t('balanceChange.none', { balance: format.delta(preview.beforeMs) })}
      {isAltered &&
        t('balanceChange.some', {
          count: preview.weeks.length,
          before: format.delta(preview.beforeMs),
          after: format.delta(preview.afterMs),
        })}
    </Text>
  )
}

/** Lists the weeks that a change alters. */
export function AlteredWeeks({ preview }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isWhole, setWhole] = useState(false)
  if (!preview || preview.weeks.length === 0) return null
  const shown = isWhole ? preview.weeks : preview.weeks.slice(0, SHOWN_WEEKS)
  const hiddenCount = preview.weeks.length - shown.length
  return (
    <section className={classes.preview} aria-labelledby="altered-weeks">
      <Title order={3} id="altered-weeks">
        {t('balanceChange.title')}
      </Title>
      <ScrollArea.Autosize mah="15rem" viewportProps={{ tabIndex: 0 }}>
        <table className={`${tables.figures} ${classes.weeks}`} aria-labelledby="altered-weeks">
          <thead>
            <tr>
              <th scope="col">{t('balanceChange.week')}</th>
              <th scope="col">{t('balanceChange.was')}</th>
              <th scope="col">{t('balanceChange.becomes')}</th>
              <th scope="col">{t('balanceChange.change')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((week) => (
              <WeekRow key={week.week} week={week} />
            ))}
          </tbody>
        </table>
        {hiddenCount > 0 && (
          <Button variant="subtle" size="compact-sm" onClick={() => setWhole(true)}>
            {t('balanceChange.more', { count: hiddenCount, shown: format.number(hiddenCount) })}
          </Button>
        )}
      </ScrollArea.Autosize>
    </section>
  )
}

function WeekRow({ week: { week, isClosed, before, after } }: { week: AlteredWeek }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <tr>
      <th scope="row">
        {format.date(mondayOf(week), 'medium')}
        {isClosed && <span className={classes.closed}> {t('balanceChange.closed')}</span>}
      </th>
      <td>{format.delta(before.delta_ms)}</td>
      <td>{format.delta(after.delta_ms)}</td>
      <td className={classes.change}>{format.difference(after.delta_ms, before.delta_ms)}</td>
    </tr>
  )
}
