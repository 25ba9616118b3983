import { Button, Group, Stack, Text } from '@mantine/core'
import { useSaldo, useSyncStatus } from '@saldo/client/react'
import { utcDate } from '@saldo/core'
import { useState } from 'react'
import { clock } from '../../context/clock.ts'
import { useSignedIn } from '../../context/session.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { saveFile } from '../../ui/save-file.ts'
import { keptProfile } from '../profile/sync-profile.ts'
import { countOnlyHere, forgetHere } from './leave-device.ts'
import { useIsDemo } from './session-hooks.ts'

/** Tells a visitor that the demo was reset, and begins anew. */
function DemoWasReset({ onClose }: { onClose: () => void }) {
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

/** Tells that the account is gone: it was erased, or is that of a demo before a reset. */
export default function ErasedUserAccount(props: { onClose: () => void }) {
  return useIsDemo() ? <DemoWasReset {...props} /> : <ErasedDialog {...props} />
}

/** Offers what this device still has: to download it, or to remove it. */
function ErasedDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { act } = useAct()
  const saldo = useSaldo()
  const { user } = useSignedIn()
  const [isSaved, setSaved] = useState(false)
  const unsent = countOnlyHere(useSyncStatus())
  const save = async () => {
    const { exportJson } = await import('@saldo/client/export')
    const own = { user_id: saldo.user, email: user.email, ...keptProfile(saldo.user) }
    const text = await saldo.query((tables, nowMs) => exportJson(tables, own, nowMs))
    saveFile(`saldo-${utcDate(clock.now())}.json`, new Blob([text], { type: 'application/json' }))
    setSaved(true)
  }
  return (
    <Dialog title={t('signIn.erased.title')} onClose={onClose}>
      <Stack>
        <Text>{t('signIn.erased.why', { email: user.email })}</Text>
        {unsent > 0 && <Text fw={600}>{t('signIn.erased.unsent', { count: unsent })}</Text>}
        <Group gap="sm">
          <Button data-autofocus onClick={() => void act(save())}>
            {t('signIn.erased.download')}
          </Button>
          <ConfirmButton
            label={t('settings.data.remove')}
            of={user.email}
            question={t('signIn.erased.question')}
            onConfirm={() => act(forgetHere(saldo))}
          />
        </Group>
        <Text size="sm" role="status" c="var(--saldo-accent-text)">
          {isSaved && t('settings.data.exported')}
        </Text>
      </Stack>
    </Dialog>
  )
}
