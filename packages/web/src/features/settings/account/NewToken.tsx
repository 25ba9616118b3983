import { Radio, Select } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { type TokenScope, tokenScopes } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clock } from '../../../context/clock.ts'
import { NewAccessKey } from '../NewAccessKey.tsx'
import { expiryOf, type Validity, validities } from '../settings-model.ts'

/** Creates a token with a chosen scope and validity, and shows it once. */
export function NewToken({ onMade }: { onMade: () => Promise<void> }) {
  const { t } = useTranslation()
  const { userAccount } = useSaldo()
  const [scope, setScope] = useState<TokenScope>('read')
  const [validity, setValidity] = useState<Validity>('never')
  const texts = {
    make: t('settings.tokens.make'),
    name: t('settings.tokens.name'),
    nameHelp: t('settings.tokens.nameHelp'),
    once: t('settings.tokens.once'),
  }
  const create = (name: string, proof: Parameters<typeof userAccount.createToken>[1]) => {
    return userAccount.createToken({ name, scope, expires_at: expiryOf(validity, clock.now()) }, proof)
  }
  const labelOf = (one: Validity) =>
    one === 'never' ? t('settings.tokens.validities.never') : t('settings.tokens.validities.days', { count: one })
  return (
    <NewAccessKey texts={texts} create={create} onMade={onMade}>
      <Radio.Group
        label={t('settings.tokens.scope')}
        value={scope}
        onChange={(chosen) => setScope(chosen as TokenScope)}
      >
        {tokenScopes.map((one) => (
          <Radio
            key={one}
            mt="xs"
            value={one}
            label={t(`settings.tokens.scopes.${one}`)}
            description={t(`settings.tokens.scopesHelp.${one}`)}
          />
        ))}
      </Radio.Group>
      <Select
        label={t('settings.tokens.validity')}
        data={validities.map((one) => ({ value: String(one), label: labelOf(one) }))}
        value={String(validity)}
        allowDeselect={false}
        onChange={(chosen) => setValidity(validities.find((one) => String(one) === chosen) ?? 'never')}
      />
    </NewAccessKey>
  )
}
