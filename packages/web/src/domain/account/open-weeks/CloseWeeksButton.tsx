import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import type { OpenWeek } from './open-weeks.ts'

const CloseWeeksDialog = lazy(() => import('./CloseWeeksDialog.tsx'))

interface Props extends Pick<ButtonProps, 'size'> {
  openWeeks: readonly OpenWeek[]
}

/** Opens the dialog that closes several weeks. */
export function CloseWeeksButton({ openWeeks, size = 'sm' }: Props) {
  const { t } = useTranslation()
  const [isOpen, { open, close }] = useDisclosure()
  return (
    <>
      <Button size={size} variant="default" onClick={open}>
        {t('openWeeks.open', { count: openWeeks.length })}
      </Button>
      <Suspense>{isOpen && <CloseWeeksDialog openWeeks={openWeeks} onClose={close} />}</Suspense>
    </>
  )
}
