import { Button, Group, Stack, Text } from '@mantine/core'
import type { Settings } from '@saldo/core'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { AlteredSummary, AlteredWeeks } from './AlteredWeeks.tsx'
import classes from './ChangeForm.module.css'
import { ChangeForm } from './ChangeForm.tsx'
import { withoutRow } from './change.ts'
import { usePreview } from './usePreview.ts'
import { type Schedule, useScheduleVerbs } from './useSchedule.ts'

/** What is about to be done to the settings. */
export type Intent = { do: 'add' } | { do: 'edit' | 'delete'; record: Settings }

interface Props {
  intent: Intent
  schedule: Schedule
  onDone: () => void
}

export default function ScheduleDialog({ intent, schedule, onDone }: Props) {
  const { t } = useTranslation()
  const isForm = intent.do !== 'delete'
  return (
    <Dialog
      isForm={isForm}
      size={isForm ? 'xl' : 'lg'}
      {...(classes.dialog !== undefined && { classNames: { content: classes.dialog } })}
      title={t(`schedule.dialog.${intent.do}`)}
      onClose={onDone}
    >
      {intent.do === 'delete' ? (
        <Deletion record={intent.record} onDone={onDone} />
      ) : (
        <ChangeForm schedule={schedule} edited={intent.do === 'edit' ? intent.record : undefined} onDone={onDone} />
      )}
    </Dialog>
  )
}

function Deletion({ record, onDone }: { record: Settings; onDone: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { remove } = useScheduleVerbs()
  const weeks = usePreview(useMemo(() => withoutRow(record), [record]))
  return (
    <Stack>
      <Text>{t('schedule.deleteLead', { date: format.date(record.effective_from, 'full') })}</Text>
      <AlteredSummary weeks={weeks} />
      <AlteredWeeks weeks={weeks} />
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onDone}>
          {t('ui.cancel')}
        </Button>
        <Button
          color="red"
          onClick={() => {
            onDone()
            void remove(record)
          }}
        >
          {t('ui.delete')}
        </Button>
      </Group>
    </Stack>
  )
}
