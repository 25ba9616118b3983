import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useLive, useSaldo } from '@saldo/client/react'
import { lazy, Suspense, useMemo } from 'react'
import { useTranslation } from '../../../i18n/translation.ts'
import { useTimeline, useToday } from '../TimelineProvider.tsx'
import { finishedWeeks, type OpenWeek, openWeeksOf } from './open-weeks-model.ts'

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

/** Returns the finished weeks that are not closed, the oldest first; none while they load. */
export function useOpenWeeks(): OpenWeek[] {
  const { account } = useSaldo()
  const { timeline } = useTimeline()
  const today = useToday()
  const { from, to } = finishedWeeks(timeline, today) ?? {}
  const days = useLive(useMemo(() => (from && to ? account.days({ from, to }) : undefined), [account, from, to]))
  const closedWeeks = useLive(useMemo(() => account.closedWeeks(), [account]))
  return useMemo(() => (days && closedWeeks ? openWeeksOf(days, closedWeeks, today) : []), [days, closedWeeks, today])
}
