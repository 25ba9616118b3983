import { Button, Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import type { ProfilePatch } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { keepProfile } from '../../../domain/profile/kept-profile.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { useBusy } from '../../../ui/useBusy.ts'
import { emptyFieldsFrom } from './import-model.ts'

/** Offers to fill the empty fields of the profile from an export. */
export function FillProfile({ exported }: { exported: ProfilePatch }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { userAccount, user } = useSaldo()
  const { act } = useAct()
  const { isBusy, run } = useBusy()
  const [isDone, setDone] = useState(false)
  const fill = async () => {
    const filling = userAccount.profile().then(async (own) => {
      keepProfile(user, await userAccount.changeProfile(emptyFieldsFrom(own, exported)))
    })
    setDone(await act(filling))
  }
  if (isDone) return <Text role="status">{t('importExport.profile.done')}</Text>
  return (
    <div>
      <Text mb="xs">
        {t('importExport.profile.why', {
          values: format.list(Object.values(exported).filter((value) => value !== undefined)),
        })}
      </Text>
      <Button variant="default" loading={isBusy} onClick={() => void run(fill)}>
        {t('importExport.profile.action')}
      </Button>
    </div>
  )
}
