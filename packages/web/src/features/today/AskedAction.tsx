import { Button, Group, Text } from '@mantine/core'
import { actionToReach, timerActions } from '@saldo/client/entries'
import { useEffectEvent, useLayoutEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import type { DayTimer } from '../../domain/entries/useDayTimer.ts'
import { Dialog } from '../../ui/Dialog.tsx'

/**
 * Asks before the timer does what the address wants (D8.42): shortcuts of the installed app lead to `/?do=start` and
 * the like, and so can every other page. Each address asks once.
 */
export function AskedAction({ timer: { state, press } }: { timer: DayTimer }) {
  const { t } = useTranslation()
  const [params, setParams] = useSearchParams()
  const [wanted, setWanted] = useState(() => timerActions.find((action) => action === params.get('do')))
  const forgetAddress = useEffectEvent(() => params.has('do') && setParams({}, { replace: true }))
  // Before the dialog adds its entry to the history.
  useLayoutEffect(() => void forgetAddress(), [])
  const action = wanted && actionToReach(wanted, state)
  if (!action) return null
  const name = action === 'start' && state.kind === 'break' ? 'resume' : action
  const close = () => setWanted(undefined)
  return (
    <Dialog title={t(`today.asked.${name}`)} size="sm" onClose={close}>
      <Text>{t('today.asked.why')}</Text>
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={close}>
          {t('ui.cancel')}
        </Button>
        <Button
          data-autofocus
          // A key that is still held from the page before is no answer.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          onClick={() => {
            close()
            press(action)
          }}
        >
          {t(`today.timer.${name}`)}
        </Button>
      </Group>
    </Dialog>
  )
}
