import { Button, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useShortcuts } from '../../ui/useShortcuts.ts'
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
  if (!schedule) return null
  return (
    <div className={classes.view}>
      <div className={classes.header}>
        <Title order={1} className={classes.title}>
          {t('schedule.title')}
        </Title>
        <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setIntent({ do: 'add' })}>
          {t('schedule.add')}
        </Button>
      </div>
      <Text c="dimmed" className={classes.lead}>
        {t(schedule.periods.length === 0 ? 'schedule.empty' : 'schedule.lead')}
      </Text>
      {schedule.periods.length > 0 && (
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
      {intent && (
        <Suspense>
          <ScheduleDialog intent={intent} schedule={schedule} onDone={() => setIntent(undefined)} />
        </Suspense>
      )}
    </div>
  )
}
