import { Anchor } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { epochMs, type Instant, MINUTE_MS, type TokenRow } from '@saldo/core'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../../context/clock.ts'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { ResourceList } from '../ResourceList.tsx'
import { Section } from '../Section.tsx'
import { expiryKeyOf } from '../settings-model.ts'
import { NewToken } from './NewToken.tsx'

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
    <Section title={t('settings.tokens.title')} lead={t('settings.tokens.lead')}>
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
