import { Button, Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { lazy, Suspense, useState } from 'react'
import { useIsDemo } from '../../../domain/session/session-hooks.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/feedback/useAttempt.ts'
import { Section } from '../Section.tsx'
import { useSavedExport } from './own-data.ts'

const DeleteAccount = lazy(() => import('./DeleteUserAccount.tsx'))
const RemoveFromDevice = lazy(() => import('./RemoveFromDevice.tsx'))

/** Exports the user's data, removes it from this device, or deletes the account. */
export function DataSection() {
  const { t } = useTranslation()
  const { act } = useAct()
  const { userAccount } = useSaldo()
  const isDemo = useIsDemo()
  const saveExport = useSavedExport()
  const { isBusy, run } = useBusy()
  const [asked, setAsked] = useState<'remove' | 'delete'>()
  const save = () => run(() => act(saveExport(userAccount.export())))
  const close = () => setAsked(undefined)
  return (
    <Section id="data" title={t('settings.data.title')}>
      <div>
        <Text mb="xs">{t('settings.data.exportWhat')}</Text>
        <Button variant="default" loading={isBusy} onClick={() => void save()}>
          {t('settings.data.export')}
        </Button>
      </div>
      <div>
        <Text mb="xs">{t('settings.data.removeWhat')}</Text>
        <Button variant="default" onClick={() => setAsked('remove')}>
          {t('settings.data.remove')}
        </Button>
      </div>
      {!isDemo && (
        <div>
          <Text mb="xs">{t('settings.data.deleteWhat')}</Text>
          <Button variant="default" c="var(--saldo-error-text)" onClick={() => setAsked('delete')}>
            {t('settings.data.delete')}
          </Button>
        </div>
      )}
      <Suspense>
        {asked === 'remove' && <RemoveFromDevice onClose={close} />}
        {asked === 'delete' && <DeleteAccount onClose={close} />}
      </Suspense>
    </Section>
  )
}
