import { Stack, Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { useSignedIn } from '../../../context/session.tsx'
import { leaveDevice } from '../../../domain/session/leave-device.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useUnsent } from './own-data.ts'

export default function RemoveFromDevice({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { act } = useAct()
  const saldo = useSaldo()
  const { leave } = useSignedIn()
  const unsent = useUnsent()
  const remove = () => act(leaveDevice(saldo, () => leave({ force: true, forget: true })))
  return (
    <Dialog title={t('settings.data.removeTitle')} onClose={onClose}>
      <Stack>
        <Text>{t('settings.data.removeWhy')}</Text>
        {unsent > 0 && <Text fw={600}>{t('settings.data.loses', { count: unsent })}</Text>}
        <FormFooter action={t('settings.data.remove')} color="red" onAction={remove} onCancel={onClose} />
      </Stack>
    </Dialog>
  )
}
