import type { Settings, Timeline } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import { AbsenceForm } from './AbsenceForm.tsx'
import type { AbsenceIntent } from './useAbsence.ts'

interface Props {
  intent: AbsenceIntent
  timeline: Timeline<Settings>
  onDone: () => void
}

export default function AbsenceDialog({ intent, timeline, onDone }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog isForm title={t(intent.record ? 'calendar.absence.edit' : 'calendar.absence.new')} onClose={onDone}>
      <AbsenceForm intent={intent} timeline={timeline} onDone={onDone} />
    </Dialog>
  )
}
