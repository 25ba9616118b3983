import { Checkbox, Stack, Text } from '@mantine/core'
import { useSyncStatus } from '@saldo/client/react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSignedIn } from '../../context/session.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'

/** Asks before signing out, and warns of changes that only this device has. */
export default function SignOutDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { act } = useAct()
  const { leave } = useSignedIn()
  const status = useSyncStatus()
  const pending = status?.unsent ?? 0
  /** The number of changes that are only on this device. */
  const own = pending + (status?.rejected ?? 0)
  const isUnknown = status?.unsent === null
  const [forget, setForget] = useState(false)
  return (
    <Dialog title={t('app.signOut.title')} onClose={onClose}>
      <Stack>
        <Text>
          {isUnknown
            ? t('app.signOut.unknown')
            : pending > 0
              ? t('app.signOut.pending', { count: pending })
              : t('app.signOut.saved')}
        </Text>
        <Checkbox
          checked={forget}
          onChange={(event) => setForget(event.currentTarget.checked)}
          label={t('app.signOut.forget')}
          description={own > 0 ? t('app.signOut.forgetLoses', { count: own }) : undefined}
        />
        <FormFooter
          action={t('app.signOut.action')}
          {...(own > 0 && forget && { color: 'red' })}
          onAction={() => void act(leave({ force: isUnknown || (forget ? own > 0 : pending > 0), forget }))}
          onCancel={onClose}
        />
      </Stack>
    </Dialog>
  )
}
