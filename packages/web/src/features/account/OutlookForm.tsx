import { Title } from '@mantine/core'
import { useEntries } from '@saldo/client/react'
import { DAY_MS, type LocalDate } from '@saldo/core'
import { useId, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { DurationInput } from '../../ui/NumberInputs.tsx'
import classes from './OutlookForm.module.css'
import { outlookDates, outlookOn, type RangeOutlook, rangeOutlook } from './outlook.ts'
import type { Account } from './useAccount.ts'

const WEEK_MS = 7 * DAY_MS

/** Shows the balance on a date to come, if work goes as planned. */
export function OutlookForm({ account: { today, ledger, timeline } }: { account: Account }) {
  const { t } = useTranslation()
  const format = useFormat()
  const titleId = useId()
  const [date, setDate] = useState<LocalDate>(`${Number(today.slice(0, 4))}-12-31`)
  const [extraMs, setExtraMs] = useState(0)
  const { to, ahead, last } = outlookDates(date, today)
  const rows = useEntries(ahead)
  const entries = (rows ?? []).map(({ record }) => record)
  const now = { today, balanceMs: ledger.balanceMs }
  const outlook = outlookOn(to, now, ledger.future, entries, timeline, extraMs)
  const range = rangeOutlook(ahead.to, now, ledger.future, entries, timeline, extraMs)
  const parts = [
    outlook.adjustmentsMs !== 0 && t('account.outlook.adjustments', { delta: format.delta(outlook.adjustmentsMs) }),
    outlook.lieuMs !== 0 && t('account.outlook.lieu', { delta: format.delta(outlook.lieuMs) }),
    outlook.extraMs !== 0 && t('account.outlook.extra', { delta: format.delta(outlook.extraMs) }),
  ].filter((part) => part !== false)
  const rangeText = ({ change, color, date }: RangeOutlook) => {
    const key = change === 'stays' ? `account.outlook.range.stays.${color}` : `account.outlook.range.${change}`
    return t(key, { date: format.date(date, 'full') })
  }
  return (
    <section className={classes.outlook} aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        {t('account.outlook.title')}
      </Title>
      <div className={classes.fields}>
        <DateInput label={t('account.outlook.to')} min={today} max={last} value={date} onChange={setDate} />
        <DurationInput
          label={t('account.outlook.perWeek')}
          valueMs={extraMs}
          minMs={-WEEK_MS}
          maxMs={WEEK_MS}
          onChangeMs={setExtraMs}
        />
        <output className={classes.result}>
          <span className={classes.label}>{t('account.outlook.result', { date: format.date(to, 'full') })}</span>
          <span className={classes.figure}>{format.delta(outlook.balanceMs)}</span>
        </output>
      </div>
      <p className={classes.label}>
        {parts.length > 0 ? t('account.outlook.with', { parts: format.list(parts) }) : t('account.outlook.asPlanned')}
        {range && ` ${rangeText(range)}`}
      </p>
    </section>
  )
}
