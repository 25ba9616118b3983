import { Checkbox, Stack, Text } from '@mantine/core'
import { useSyncStatus } from '@saldo/client/react'
import { useState } from 'react'
import { useSignedIn } from '../../context/session.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { signOutOf } from './leave-device.ts'

/** Asks before signing out, and warns of changes that only this device has. */
export default function SignOutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { act } = useAct()
  const { leave } = useSignedIn()
  const status = useSyncStatus()
  const { isUnknown, pendingCount, ownCount, needsForce } = signOutOf(status)
  const [forget, setForget] = useState(false)
  const isOffline = status?.online === false
  return (
    <Dialog title={t('app.signOut.title')} onClose={onClose}>
      <Stack>
        <Text>
          {isUnknown
            ? t('app.signOut.unknown')
            : pendingCount > 0
              ? t('app.signOut.pending', { count: pendingCount })
              : t('app.signOut.saved')}
        </Text>
        <Checkbox
          checked={forget}
          onChange={(event) => setForget(event.currentTarget.checked)}
          label={t('app.signOut.forget')}
          description={ownCount > 0 ? t('app.signOut.forgetLoses', { count: ownCount }) : undefined}
        />
        {isOffline && <Text>{t('app.signOut.offline')}</Text>}
        <FormFooter
          action={t('app.signOut.action')}
          disabled={isOffline}
          {...(ownCount > 0 && forget && { color: 'red' })}
          onAction={() => act(leave({ force: needsForce(forget), forget }))}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}
