import { Stack, Text } from '@mantine/core'
import type { Settings } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { AlteredWeeks, BalanceChange } from '../../domain/account/balance-change/AlteredWeeks.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import type { OnDone } from '../../ui/useEditor.ts'
import classes from './SettingsForm.module.css'
import { SettingsForm } from './SettingsForm.tsx'
import { withoutRow } from './settings-change.ts'
import { type Schedule, useScheduleActions } from './useSchedule.ts'
import { type EditedSettings, useSettingsPreview } from './useSettingsForm.ts'
import { VacationChange } from './VacationField.tsx'

export type ScheduleAction = EditedSettings | { kind: 'delete'; record: Settings }

interface Props {
  action: ScheduleAction
  schedule: Schedule
  onDone: OnDone<ScheduleAction>
}

export default function ScheduleDialog({ action, schedule, onDone }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const isForm = action.kind !== 'delete'
  const date = 'record' in action ? format.date(action.record.effective_from, 'full') : ''
  return (
    <Dialog
      isForm={isForm}
      size={isForm ? 'xl' : 'lg'}
      {...(classes.dialog !== undefined && { classNames: { content: classes.dialog } })}
      title={t(`schedule.dialog.${action.kind}`, { date })}
      onClose={() => onDone()}
    >
      {action.kind === 'delete' ? (
        <Deletion record={action.record} onDone={() => onDone()} />
      ) : (
        <SettingsForm schedule={schedule} edited={action} onDone={onDone} />
      )}
    </Dialog>
  )
}

function Deletion({ record, onDone }: { record: Settings; onDone: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { remove } = useScheduleActions()
  const preview = useSettingsPreview(withoutRow(record))
  return (
    <Stack>
      <Text>{t('schedule.deleteLead', { date: format.date(record.effective_from, 'full') })}</Text>
      <BalanceChange preview={preview} />
      <VacationChange preview={preview} />
      <AlteredWeeks preview={preview} />
      <FormFooter
        action={t('ui.delete')}
        color="red"
        onAction={() => {
          onDone()
          void remove(record)
        }}
        onCancel={onDone}
      />
    </Stack>
  )
}
