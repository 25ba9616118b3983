import { Button, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { IconPlus } from '../../ui/icons.ts'
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
  const [action, setAction] = useState<ScheduleAction>()
  useShortcuts({ N: () => setAction({ kind: 'add' }) })
  return (
    <div className={classes.view}>
      <ViewHeader title={t('schedule.title')}>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setAction({ kind: 'add' })}>
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
              onEdit={() => setAction({ kind: 'edit', record: period.record })}
              onDelete={() => setAction({ kind: 'delete', record: period.record })}
            />
          ))}
        </ol>
      )}
      {action && schedule && (
        <Suspense>
          <ScheduleDialog action={action} schedule={schedule} onDone={() => setAction(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
