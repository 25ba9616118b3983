import { Button, Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useSaldo } from '../../../context/saldo.tsx'
import { useVisitor } from '../../../context/session.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { leaveDevice } from './leave-device.ts'
import { useUnsent } from './useUnsent.ts'

export default function RemoveFromDevice({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { act } = useAct()
  const saldo = useSaldo()
  const { leave } = useVisitor()
  const unsent = useUnsent()
  const remove = () => act(leaveDevice(saldo, () => leave({ force: true, forget: true })))
  return (
    <Dialog title={t('settings.data.removeTitle')} onClose={onClose}>
      <Stack>
        <Text>{t('settings.data.removeWhy')}</Text>
        {unsent > 0 && <Text fw={600}>{t('settings.data.loses', { count: unsent })}</Text>}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button color="red" onClick={() => void remove()}>
            {t('settings.data.remove')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
