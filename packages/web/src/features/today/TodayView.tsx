import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { WorkSubject } from '@saldo/client/entries'
import { isDate, type LocalDate, MINUTE_MS } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { useNow } from '../../context/clock.ts'
import { OpenProposal } from '../../domain/account/limits/ProposalNotices.tsx'
import { OpenWeeksNotice } from '../../domain/account/open-weeks/OpenWeeksNotice.tsx'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import type { EditedEntry } from '../../domain/entries/editor/edited-entry.ts'
import { type Day, useDay } from '../../domain/entries/useDay.ts'
import { useDayTimer, useForgottenTimer } from '../../domain/entries/useDayTimer.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { useEditor } from '../../ui/useEditor.ts'
import { NotFound } from '../../ui/ViewHeader.tsx'
import { whenOnline } from '../../ui/when-online.ts'
import { AskedAction } from './AskedAction.tsx'
import { DayHeader } from './DayHeader.tsx'
import { EntryList } from './EntryList.tsx'
import { QuickEntryField } from './quick-entry/QuickEntryField.tsx'
import { TimerPanel } from './TimerPanel.tsx'
import classes from './TodayView.module.css'
import { TimeLine } from './time-line/TimeLine.tsx'

const ForgottenTimer = lazy(whenOnline(() => import('./ForgottenTimer.tsx')))
const EntryDialog = lazy(() => import('../../domain/entries/editor/EntryDialog.tsx'))

const NARROW = '(max-width: 62em)'

/** The day of the address, by default today. */
export default function TodayView() {
  const { date } = useParams<{ date?: string }>()
  const today = useToday()
  if (date !== undefined && !isDate(date)) return <NotFound />
  return <OneDay date={date ?? today} today={today} />
}

/** One day: its figures, timer and entries. */
function OneDay({ date, today }: { date: LocalDate; today: LocalDate }) {
  const day = useDay(date)
  // The timer belongs to today, whatever day is shown.
  const dayOfTimer = useDay(today)
  return (
    <div className={classes.view}>
      <DayHeader date={date} today={today} />
      {day && dayOfTimer && <DayBody key={date} day={day} dayOfTimer={dayOfTimer} />}
    </div>
  )
}

function DayBody({ day, dayOfTimer }: { day: Day; dayOfTimer: Day }) {
  const { t } = useTranslation()
  const timer = useDayTimer(dayOfTimer)
  const forgottenTimer = useForgottenTimer(day, useNow(MINUTE_MS))
  const forgotten = day.date === day.today ? forgottenTimer : undefined
  const [, navigate] = useLocation()
  const goOn = (subject: WorkSubject) => {
    timer.press('start', subject)
    navigate('/')
  }
  const editor = useEditor<EditedEntry>()
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const [shown, setShown] = useState('list')
  return (
    <>
      <AskedAction timer={timer} />
      <div className={classes.columns}>
        <div className={classes.main}>
          {forgotten && (
            <Suspense>
              <ForgottenTimer day={day} forgotten={forgotten} />
            </Suspense>
          )}
          {day.date === day.today && <OpenWeeksNotice />}
          {day.date === day.today && <OpenProposal />}
          <TimerPanel day={day} timer={timer} />
          <QuickEntryField day={day} />
          {isNarrow && (
            <SegmentedControl
              fullWidth
              aria-label={t('today.shownAs')}
              value={shown}
              onChange={setShown}
              data={[
                { value: 'list', label: t('today.asList') },
                { value: 'line', label: t('today.asTimeLine') },
              ]}
            />
          )}
          {(!isNarrow || shown === 'list') && <EntryList day={day} onGoOn={goOn} onEdit={editor.open} />}
        </div>
        {(!isNarrow || shown === 'line') && <TimeLine day={day} onEdit={editor.open} />}
      </div>
      {editor.shown && (
        <Suspense>
          <EntryDialog key={editor.shown.key} edited={editor.shown.edited} zone={day.zone} onDone={editor.onDone} />
        </Suspense>
      )}
    </>
  )
}
