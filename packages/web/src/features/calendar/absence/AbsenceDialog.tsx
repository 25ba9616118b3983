import { Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import type { Settings, Timeline } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { AbsenceForm } from './AbsenceForm.tsx'
import type { AbsenceIntent } from './useAbsence.ts'

interface Props {
  intent: AbsenceIntent
  timeline: Timeline<Settings>
  onDone: () => void
}

export default function AbsenceDialog({ intent, timeline, onDone }: Props) {
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={onDone}
      fullScreen={isPhone ?? false}
      radius={isPhone ? 0 : 'lg'}
      title={t(intent.record ? 'calendar.absence.edit' : 'calendar.absence.new')}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <AbsenceForm intent={intent} timeline={timeline} onDone={onDone} />
    </Modal>
  )
}
