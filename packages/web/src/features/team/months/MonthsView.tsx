import { Anchor, Text } from '@mantine/core'
import { datesOfMonth, type MonthRow } from '@saldo/core'
import { Link, useParams } from 'wouter'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { KeptNotice } from '../../../domain/team/KeptNotice.tsx'
import { MonthActions } from '../../../domain/team/MonthActions.tsx'
import { StateOfMonth } from '../../../domain/team/StateOfMonth.tsx'
import { useTeam } from '../../../domain/team/TeamProvider.tsx'
import { useMonthText } from '../../../domain/team/useMonthText.ts'
import { useOwnMonths } from '../../../domain/team/useOwnMonths.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import rows from '../../../ui/rows.module.css'
import { NotFound, ViewHeader } from '../../../ui/ViewHeader.tsx'
import { parseMonth } from '../away/away-model.ts'
import classes from './MonthsView.module.css'
import { OwnMonthSheet } from './OwnMonthSheet.tsx'
import { OwnPersonnel } from './OwnPersonnel.tsx'
import { OwnTrail } from './OwnTrail.tsx'
import { Proposals } from './Proposals.tsx'

/** The own months with their states, or by the address the sheet of one, the trail of the account or personnel data. */
export default function MonthsView() {
  const { part } = useParams<{ part?: string }>()
  const today = useToday()
  if (part === undefined) return <MonthList />
  if (part === 'trail') return <OwnTrail />
  if (part === 'personnel') return <OwnPersonnel />
  const month = parseMonth(part, today)
  return month ? <OwnMonthSheet key={month} month={month} /> : <NotFound />
}

function MonthList() {
  const { t } = useTranslation()
  const { team } = useTeam()
  const { answer, failure, keptAtMs, again } = useOwnMonths()
  return (
    <>
      <ViewHeader title={t('team.months.title')} />
      <Text className={classes.lead} c="dimmed">
        {t('team.months.lead')}
      </Text>
      <KeptNotice keptAtMs={keptAtMs} failure={failure} />
      <Proposals />
      {answer && (
        <ul className={rows.list}>
          {answer.items.map((row) => (
            <MonthLine key={row.month} row={row} onDone={again} />
          ))}
        </ul>
      )}
      <p>
        <Anchor component={Link} href="/team/months/trail">
          {t('team.log.title')}
        </Anchor>
      </p>
      {team?.is_member && (
        <p>
          <Anchor component={Link} href="/team/months/personnel">
            {t('team.payroll.part.personnel')}
          </Anchor>
        </p>
      )}
    </>
  )
}

function MonthLine({ row, onDone }: { row: MonthRow; onDone: () => Promise<void> }) {
  const { t } = useTranslation()
  const format = useFormat()
  const textOf = useMonthText()
  const details = textOf(row)
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <Anchor component={Link} href={`/team/months/${row.month}`} className={`${rows.name} ${classes.link}`}>
          {format.date(datesOfMonth(row.month).from, 'month')}
        </Anchor>
        {details !== '' && <div className={rows.details}>{details}</div>}
        {row.carried_differs && <div className={rows.details}>{t('team.months.carriedDiffers')}</div>}
      </div>
      <StateOfMonth state={row.state} />
      <MonthActions row={row} onDone={onDone} />
    </li>
  )
}
