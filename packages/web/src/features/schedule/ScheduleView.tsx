import { Button, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
import { useAskedAct } from '../../ui/asked-act.ts'
import { IconPlus } from '../../ui/icons.ts'
import { useEditor } from '../../ui/useEditor.ts'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { PeriodItem } from './PeriodItem.tsx'
import type { ScheduleAction } from './ScheduleDialog.tsx'
import classes from './ScheduleView.module.css'
import { useSchedule } from './useSchedule.ts'

const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx'))

/** Shows the working hours, rules and time zones over time. */
export default function ScheduleView() {
  const { t } = useTranslation()
  const schedule = useSchedule()
  const editor = useEditor<ScheduleAction>()
  const add = () => editor.open({ kind: 'add' })
  useShortcuts({ N: add })
  useAskedAct('hours', add)
  return (
    <div className={classes.view}>
      <ViewHeader title={t('schedule.title')}>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={add}>
          {t('schedule.add')}
        </Button>
      </ViewHeader>
      <Text c="dimmed" className={classes.lead}>
        {schedule && t(schedule.periods.length === 0 ? 'schedule.empty' : 'schedule.lead')}
      </Text>
      {schedule && schedule.periods.length > 0 && (
        <ol className={classes.line} aria-label={t('schedule.history')}>
          {schedule.periods.map((period) => (
            <PeriodItem
              key={period.record.id}
              period={period}
              isPending={schedule.pendingIds.has(period.record.id)}
              onEdit={() => editor.open({ kind: 'edit', record: period.record })}
              onDelete={() => editor.open({ kind: 'delete', record: period.record })}
            />
          ))}
        </ol>
      )}
      {editor.shown && schedule && (
        <Suspense>
          <ScheduleDialog
            key={editor.shown.key}
            action={editor.shown.edited}
            schedule={schedule}
            onDone={editor.onDone}
          />
        </Suspense>
      )}
    </div>
  )
}
