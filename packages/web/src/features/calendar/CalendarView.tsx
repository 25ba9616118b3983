import { Button } from '@mantine/core'
import { type LocalDate, monthOf, settingsOn } from '@saldo/core'
import { lazy, Suspense } from 'react'
import { Link, useParams, useRoute } from 'wouter'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import { hasMonths, useTeam } from '../../domain/team/TeamProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { useAskedAct } from '../../ui/asked-act.ts'
import { IconFlag } from '../../ui/icons.ts'
import { useEditor } from '../../ui/useEditor.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import { NotFound } from '../../ui/ViewHeader.tsx'
import { AbsenceCounts } from './AbsenceCounts.tsx'
import type { EditedAbsence } from './absence/useAbsenceForm.ts'
import { CalendarHeader } from './CalendarHeader.tsx'
import classes from './CalendarView.module.css'
import { rangeSelected, tabStopIn } from './calendar-model.ts'
import { Grid } from './Grid.tsx'
import { datesOfPeriod, type Period, parsePeriod, pathOf } from './period.ts'
import { SelectionPanel } from './SelectionPanel.tsx'
import { PrintMarks } from './sheet/PrintMarks.tsx'
import { type Calendar, useCalendar } from './useCalendar.ts'
import { useSelection } from './useGrid.ts'
import { VacationAccount } from './vacation/VacationAccount.tsx'

const AbsenceDialog = lazy(() => import('./absence/AbsenceDialog.tsx'))
const SheetView = lazy(() => import('./sheet/SheetView.tsx'))
const OwnMonth = lazy(() => import('../../domain/team/OwnMonth.tsx'))

/** The year or month of the address, by default the current month, or the sheet of that month. */
export default function CalendarView() {
  const { year, month } = useParams<{ year?: string; month?: string }>()
  const today = useToday()
  const period = parsePeriod({ year, month }, today)
  const [isSheet] = useRoute('/calendar/:year/:month/sheet')
  if (!period) return <NotFound />
  return isSheet ? <SheetView key={pathOf(period)} period={period} /> : <OnePeriod period={period} today={today} />
}

/** Shows worked time and absences of a year or a month. */
function OnePeriod({ period, today }: { period: Period; today: LocalDate }) {
  const calendar = useCalendar(period)
  const isMember = hasMonths(useTeam().team)
  return (
    <div className={classes.view}>
      <CalendarHeader period={period} today={today} hasGrid={calendar !== undefined} />
      {isMember && period.month !== undefined && (
        <Suspense>
          <OwnMonth month={monthOf(datesOfPeriod(period).from)} place="calendar" />
        </Suspense>
      )}
      <PrintMarks period={period} />
      {calendar && <CalendarBody key={pathOf(period)} calendar={calendar} />}
    </div>
  )
}

function CalendarBody({ calendar }: { calendar: Calendar }) {
  const { t } = useTranslation()
  const dateSelection = useSelection(calendar.period)
  const editor = useEditor<EditedAbsence>()
  const { selection } = dateSelection
  const add = () => {
    const proposed = tabStopIn(datesOfPeriod(calendar.period), undefined, calendar.today)
    editor.open({ range: selection ? rangeSelected(selection) : { from: proposed, to: proposed } })
  }
  useShortcuts({ N: add })
  useAskedAct('absence', add)
  return (
    <>
      <div className={classes.columns}>
        <Grid calendar={calendar} dateSelection={dateSelection} onOpen={add} />
        <div className={classes.side}>
          <SelectionPanel
            calendar={calendar}
            selection={selection}
            onAdd={add}
            onClear={() => dateSelection.select(undefined)}
            onEdit={(record) => editor.open({ record, range: { from: record.date, to: record.date } })}
          />
          <VacationAccount year={calendar.period.year} today={calendar.today} />
          <AbsenceCounts calendar={calendar} />
          {!settingsOn(calendar.timeline, calendar.today)?.holidays && (
            <Button
              component={Link}
              href="/schedule"
              variant="default"
              className={classes.holidays}
              leftSection={<IconFlag size={18} stroke={1.75} aria-hidden />}
            >
              {t('calendar.holidays')}
            </Button>
          )}
        </div>
      </div>
      <Suspense>
        {editor.shown && (
          <AbsenceDialog
            key={editor.shown.key}
            edited={editor.shown.edited}
            timeline={calendar.timeline}
            onDone={editor.onDone}
          />
        )}
      </Suspense>
    </>
  )
}
