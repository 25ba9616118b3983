import { Button, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../ui/useShortcuts.ts'
import { ViewHeader } from '../../ui/ViewHeader.tsx'
import { PeriodItem } from './PeriodItem.tsx'
import type { Intent } from './ScheduleDialog.tsx'
import classes from './ScheduleView.module.css'
import { useSchedule } from './useSchedule.ts'

const ScheduleDialog = lazy(() => import('./ScheduleDialog.tsx'))

/** Which hours, rules and zone hold since when. */
export default function ScheduleView() {
  const { t } = useTranslation()
  const schedule = useSchedule()
  const [intent, setIntent] = useState<Intent>()
  useShortcuts({ N: () => setIntent({ do: 'add' }) })
  return (
    <div className={classes.view}>
      <ViewHeader title={t('schedule.title')}>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setIntent({ do: 'add' })}>
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
              onEdit={() => setIntent({ do: 'edit', record: period.record })}
              onDelete={() => setIntent({ do: 'delete', record: period.record })}
            />
          ))}
        </ol>
      )}
      {intent && schedule && (
        <Suspense>
          <ScheduleDialog intent={intent} schedule={schedule} onDone={() => setIntent(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
