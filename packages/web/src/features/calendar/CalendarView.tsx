import { Button } from '@mantine/core'
import { IconFlag } from '@tabler/icons-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import { useToday } from '../../domain/account/useToday.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import type { AbsenceIntent } from './absence/useAbsence.ts'
import { CalendarHeader } from './CalendarHeader.tsx'
import classes from './CalendarView.module.css'
import { Counts } from './Counts.tsx'
import { Grid } from './Grid.tsx'
import { pathOf, placeOf } from './place.ts'
import { SelectionPanel } from './SelectionPanel.tsx'
import { MonthSheet } from './sheet/MonthSheet.tsx'
import { type Calendar, useCalendar } from './useCalendar.ts'
import { rangeSelected, useSelection } from './useSelection.ts'

const AbsenceDialog = lazy(() => import('./absence/AbsenceDialog.tsx'))
const HolidaysDialog = lazy(() => import('./holidays/HolidaysDialog.tsx'))

/** A year or a month: what was worked, and who was away when. */
export default function CalendarView() {
  const { year, month } = useParams<{ year?: string; month?: string }>()
  const today = useToday()
  const place = useMemo(() => placeOf({ year, month }, today), [year, month, today])
  const calendar = useCalendar(place)
  return (
    <div className={classes.view} data-prints-sheet={place.month !== undefined || undefined}>
      <CalendarHeader place={place} today={today} hasGrid={calendar !== undefined} />
      {calendar && <CalendarBody key={pathOf(place)} calendar={calendar} />}
    </div>
  )
}

function CalendarBody({ calendar }: { calendar: Calendar }) {
  const { t } = useTranslation()
  const choosing = useSelection(calendar.place)
  const [absence, setAbsence] = useState<AbsenceIntent>()
  const [isEnteringHolidays, setEnteringHolidays] = useState(false)
  const { selection } = choosing
  const isMonth = calendar.place.month !== undefined
  const add = () =>
    setAbsence({ range: selection ? rangeSelected(selection) : { from: calendar.today, to: calendar.today } })
  useShortcuts({ N: add })
  return (
    <>
      {isMonth && <MonthSheet calendar={calendar} />}
      <div className={classes.columns}>
        <Grid calendar={calendar} choosing={choosing} onOpen={add} />
        <div className={classes.side}>
          <SelectionPanel
            calendar={calendar}
            selection={selection}
            onAdd={add}
            onClear={() => choosing.select(undefined)}
            onEdit={(record) => setAbsence({ record, range: { from: record.date, to: record.date } })}
          />
          <Counts calendar={calendar} />
          <Button
            variant="default"
            className={classes.holidays}
            leftSection={<IconFlag size={18} stroke={1.75} aria-hidden />}
            onClick={() => setEnteringHolidays(true)}
          >
            {t('calendar.holidays.open')}
          </Button>
        </div>
      </div>
      <Suspense>
        {absence && (
          <AbsenceDialog intent={absence} timeline={calendar.timeline} onDone={() => setAbsence(undefined)} />
        )}
        {isEnteringHolidays && <HolidaysDialog calendar={calendar} onDone={() => setEnteringHolidays(false)} />}
      </Suspense>
    </>
  )
}
