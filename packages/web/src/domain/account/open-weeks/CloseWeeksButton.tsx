import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpenWeek } from './open-weeks.ts'

const CloseWeeksDialog = lazy(() => import('./CloseWeeksDialog.tsx'))

/** Opens the dialog that closes several weeks. */
export function CloseWeeksButton({ openWeeks }: { openWeeks: readonly OpenWeek[] }) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={open}>
        {t('openWeeks.open')}
      </Button>
      <Suspense>{isOpen && <CloseWeeksDialog openWeeks={openWeeks} onClose={close} />}</Suspense>
    </>
  )
}
