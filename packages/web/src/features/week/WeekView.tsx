import { SegmentedControl } from '@mantine/core'
import { useSessionStorage } from '@mantine/hooks'
import { type IsoWeek, isWeek, weekOf } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { useToday } from '../../domain/account/useToday.ts'
import { NotFound } from '../../ui/NotFound.tsx'
import { Closing } from './Closing.tsx'
import { DaysTable } from './DaysTable.tsx'
import type { Week } from './shown-week.ts'
import { Timesheet } from './timesheet/Timesheet.tsx'
import { useWeek } from './useWeek.ts'
import { WeekHeader } from './WeekHeader.tsx'
import { WeekOutcome } from './WeekOutcome.tsx'
import classes from './WeekView.module.css'

const SHOWN = 'saldo.week.shown'

/** The week of the address, by default the current one. */
export default function WeekView() {
  const { week } = useParams<{ week?: string }>()
  const thisWeek = weekOf(useToday())
  if (week !== undefined && !isWeek(week)) return <NotFound />
  return <OneWeek shown={week ?? thisWeek} thisWeek={thisWeek} />
}

/** Shows a week as days or as a timesheet, and closes it. */
function OneWeek({ shown, thisWeek }: { shown: IsoWeek; thisWeek: IsoWeek }) {
  const week = useWeek(shown)
  return (
    <div className={classes.view}>
      <WeekHeader week={shown} thisWeek={thisWeek} isClosed={week?.closed !== undefined} />
      {week && <WeekBody key={shown} week={week} />}
    </div>
  )
}

function WeekBody({ week }: { week: Week }) {
  const { t } = useTranslation()
  const [shown, setShown] = useSessionStorage({ key: SHOWN, defaultValue: 'days', getInitialValueInEffect: false })
  return (
    <>
      <WeekOutcome sums={week.sums} />
      <SegmentedControl
        className={classes.shown ?? ''}
        aria-label={t('week.shownAs')}
        value={shown}
        onChange={setShown}
        data={[
          { value: 'days', label: t('week.asDays') },
          { value: 'timesheet', label: t('week.asTimesheet') },
        ]}
      />
      {shown === 'days' ? <DaysTable week={week} /> : <Timesheet key={week.week} week={week} />}
      <Closing week={week} />
    </>
  )
}
