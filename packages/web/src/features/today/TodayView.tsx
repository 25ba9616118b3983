import { SegmentedControl } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { isDate } from '@saldo/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'wouter'
import type { Edited } from '../../ui/entries/editor/edited.ts'
import { useDay } from '../../ui/entries/useDay.ts'
import { DayHeader } from './DayHeader.tsx'
import { EntryList } from './EntryList.tsx'
import { ForgottenTimer } from './ForgottenTimer.tsx'
import { QuickEntryField } from './quick-entry/QuickEntryField.tsx'
import { TimerPanel } from './TimerPanel.tsx'
import classes from './TodayView.module.css'
import { TimeLine } from './time-line/TimeLine.tsx'

const EntryEditorModal = lazy(() => import('../../ui/entries/editor/EntryEditorModal.tsx'))

const NARROW = '(max-width: 62em)'

/** One day: how much of it is worked, when it is over, and what it is made of. */
export default function TodayView() {
  const { t } = useTranslation()
  const { date } = useParams<{ date?: string }>()
  const day = useDay(date !== undefined && isDate(date) ? date : undefined)
  const [edited, setEdited] = useState<Edited>()
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
  const [shown, setShown] = useState('list')
  if (!day) return null

  const isToday = day.date === day.today
  return (
    <div className={classes.view}>
      <DayHeader day={day} />
      <div className={classes.columns}>
        <div className={classes.main}>
          {isToday && <ForgottenTimer day={day} />}
          <TimerPanel day={day} />
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
          {(!isNarrow || shown === 'list') && <EntryList day={day} onEdit={setEdited} />}
        </div>
        {(!isNarrow || shown === 'line') && <TimeLine day={day} onEdit={setEdited} />}
      </div>
      {edited && (
        <Suspense>
          <EntryEditorModal edited={edited} zone={day.zone} onDone={setEdited} />
        </Suspense>
      )}
    </div>
  )
}
