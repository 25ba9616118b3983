import { Button, Group, Stack, Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { forgetHere } from './leave-device.ts'

/** Tells a visitor that the demo was reset, and begins anew. */
export function DemoWasReset({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { act } = useAct()
  const saldo = useSaldo()
  return (
    <Dialog title={t('signIn.demo.reset')} onClose={onClose}>
      <Stack>
        <Text>{t('signIn.demo.resetWhy')}</Text>
        <Group>
          <Button data-autofocus onClick={() => void act(forgetHere(saldo))}>
            {t('signIn.demo.again')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
