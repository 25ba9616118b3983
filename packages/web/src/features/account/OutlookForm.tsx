import { Title } from '@mantine/core'
import { addDays, DAY_MS, type LocalDate } from '@saldo/core'
import { useId, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { DurationInput } from '../../ui/DurationInput.tsx'
import classes from './OutlookForm.module.css'
import { outlookOn } from './outlook.ts'
import type { Account } from './useAccount.ts'

const WEEK_MS = 7 * DAY_MS
const MAX_DAYS = 3_653

/** Shows the balance on a date to come, if work goes as planned. */
export function OutlookForm({ account: { today, ledger, timeline } }: { account: Account }) {
  const { t } = useTranslation()
  const format = useFormat()
  const saldo = useSaldo()
  const titleId = useId()
  const [date, setDate] = useState<LocalDate>(`${Number(today.slice(0, 4))}-12-31`)
  const [extraMs, setExtraMs] = useState(0)
  const last = addDays(today, MAX_DAYS)
  const to = date < today ? today : date > last ? last : date
  const rows = useLive(useMemo(() => saldo.entries.between({ from: today, to }), [saldo, today, to]))
  const entries = (rows ?? []).map(({ record }) => record)
  const outlook = outlookOn(to, { today, balanceMs: ledger.balanceMs }, ledger.future, entries, timeline, extraMs)
  const parts = [
    outlook.adjustmentsMs !== 0 && t('account.outlook.adjustments', { delta: format.delta(outlook.adjustmentsMs) }),
    outlook.lieuMs !== 0 && t('account.outlook.lieu', { delta: format.delta(outlook.lieuMs) }),
    outlook.extraMs !== 0 && t('account.outlook.extra', { delta: format.delta(outlook.extraMs) }),
  ].filter((part) => part !== false)
  return (
    <section className={classes.outlook} aria-labelledby={titleId}>
      <Title order={2} id={titleId}>
        {t('account.outlook.title')}
      </Title>
      <div className={classes.fields}>
        <DateInput
          label={t('account.outlook.to')}
          min={today}
          max={last}
          value={date}
          onChange={(value) => value !== '' && setDate(value)}
        />
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
      </p>
    </section>
  )
}
