import { Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../../ui/Dialog.tsx'
import type { Calendar } from '../useCalendar.ts'

// The library of all countries' holidays is large.
const HolidaysForm = lazy(() => import('./HolidaysForm.tsx'))

interface Props {
  calendar: Calendar
  onDone: () => void
}

export default function HolidaysDialog({ calendar, onDone }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog
      isForm
      size="lg"
      title={t('calendar.holidays.title', { year: String(calendar.period.year) })}
      onClose={onDone}
    >
      <Suspense fallback={<Text c="dimmed">{t('calendar.holidays.loading')}</Text>}>
        <HolidaysForm calendar={calendar} onDone={onDone} />
      </Suspense>
    </Dialog>
  )
}
