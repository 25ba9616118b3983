import { Button, Text, Title } from '@mantine/core'
import { useLive, useSaldo } from '@saldo/client/react'
import { dateOfMonthDay, type LocalDate, type VacationYear } from '@saldo/core'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import tables from '../../../ui/table.module.css'
import classes from './VacationAccount.module.css'
import { vacationParts } from './vacation-model.ts'

const VacationDialog = lazy(() => import('./VacationDialog.tsx'))

/** Shows how many days of vacation a year has, and how many of them are left. Without a rule it shows nothing. */
export function VacationAccount({ year, today }: { year: number; today: LocalDate }) {
  const saldo = useSaldo()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day is another question
  const account = useLive(useMemo(() => saldo.account.vacation(year), [saldo, year, today]))
  return account ? <Figures account={account} /> : null
}

function Figures({ account }: { account: VacationYear }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { year, left, expiring } = account
  return (
    <section className={classes.account} aria-labelledby="vacation">
      <Title order={2} id="vacation">
        {t('calendar.vacation.title', { year: String(year) })}
      </Title>
      <table className={`${tables.figures} ${classes.table}`} aria-labelledby="vacation">
        <tbody>
          {vacationParts(account).map(({ part, days }) => (
            <tr key={part}>
              <th scope="row">{t(`calendar.vacation.part.${part}`)}</th>
              <td>{format.signed(days)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('calendar.vacation.left')}</th>
            <td data-overdrawn={left < 0 || undefined}>{format.number(left)}</td>
          </tr>
        </tfoot>
      </table>
      {expiring && (
        <Text size="sm">
          {t('calendar.vacation.expiring', {
            count: expiring.days,
            days: format.number(expiring.days),
            date: format.date(dateOfMonthDay(expiring.by), 'dayAndMonth'),
          })}
        </Text>
      )}
      <Button variant="default" onClick={() => setOpen(true)}>
        {t('calendar.vacation.open')}
      </Button>
      <Suspense>{isOpen && <VacationDialog account={account} onDone={() => setOpen(false)} />}</Suspense>
    </section>
  )
}
