import { Anchor, Radio, Select } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { epochMs, type Instant, MINUTE_MS, type TokenRow, type TokenScope, tokenScopes } from '@saldo/core'
import { useCallback, useState } from 'react'
import { clock, useNow } from '../../../context/clock.ts'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { NewAccessKey } from '../NewAccessKey.tsx'
import { ResourceList } from '../ResourceList.tsx'
import { Section } from '../Section.tsx'
import { expiryKeyOf, tokenExpiryOf, type Validity, validities } from '../settings-model.ts'

/** Creates a token with a chosen scope and validity, and shows it once. */
function NewToken({ onMade }: { onMade: () => Promise<void> }) {
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
    return userAccount.createToken({ name, scope, expires_at: tokenExpiryOf(validity, clock.now()) }, proof)
  }
  const labelOf = (one: Validity) =>
    one === 'never' ? t('settings.tokens.validities.never') : t('settings.tokens.validities.days', { count: one })
  return (
    <NewAccessKey texts={texts} create={create} onMade={onMade}>
      <Radio.Group label={t('settings.tokens.scope')} value={scope} onChange={(chosen) => setScope(chosen)}>
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

/** Tokens with which programs use the API in the user's name. */
export function TokensSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { userAccount } = useSaldo()
  const tokens = useResource(useCallback(() => userAccount.tokens(), [userAccount]))
  const revoke = async (id: string) => {
    await act(userAccount.revokeToken(id))
    await tokens.again()
  }
  const nowMs = useNow(MINUTE_MS)
  const detailsOf = ({ scope, created_at, last_used_at, expires_at }: TokenRow) => {
    const when = (at: Instant) => ({ when: format.dateTime(epochMs(at)) })
    return [
      t(`settings.tokens.scopes.${scope}`),
      t('settings.tokens.made', when(created_at)),
      last_used_at === null ? t('settings.tokens.unused') : t('settings.tokens.used', when(last_used_at)),
      ...(expires_at === null ? [] : [t(`settings.tokens.${expiryKeyOf(expires_at, nowMs)}`, when(expires_at))]),
    ].join(', ')
  }
  return (
    <Section id="tokens" title={t('settings.tokens.title')} lead={t('settings.tokens.lead')}>
      <ResourceList resource={tokens} empty={t('settings.tokens.none')}>
        {(token) => (
          <>
            <RowName name={token.name} details={detailsOf(token)} />
            <ConfirmButton
              label={t('settings.tokens.revoke')}
              of={token.name}
              question={t('settings.tokens.question')}
              onConfirm={() => revoke(token.id)}
            />
          </>
        )}
      </ResourceList>
      {tokens.answer && <NewToken onMade={tokens.again} />}
      <Anchor href="/api/docs" target="_blank" size="sm">
        {t('settings.tokens.docs')}
      </Anchor>
    </Section>
  )
}
