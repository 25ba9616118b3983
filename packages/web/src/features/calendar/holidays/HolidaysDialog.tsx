import { Modal, Text } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { Calendar } from '../useCalendar.ts'

/** With the library of all countries' holidays, which is large. */
const HolidaysForm = lazy(() => import('./HolidaysForm.tsx'))

interface Props {
  calendar: Calendar
  onDone: () => void
}

export default function HolidaysDialog({ calendar, onDone }: Props) {
  const { t } = useTranslation()
  const isPhone = useMediaQuery('(max-width: 36em)', undefined, { getInitialValueInEffect: false })
  return (
    <Modal
      opened
      onClose={onDone}
      size="lg"
      fullScreen={isPhone ?? false}
      radius={isPhone ? 0 : 'lg'}
      title={t('calendar.holidays.title', { year: String(calendar.place.year) })}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      <Suspense fallback={<Text c="dimmed">{t('calendar.holidays.loading')}</Text>}>
        <HolidaysForm calendar={calendar} onDone={onDone} />
      </Suspense>
    </Modal>
  )
}
