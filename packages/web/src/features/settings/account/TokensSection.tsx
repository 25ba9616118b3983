import { Anchor } from '@mantine/core'
import { epochMs } from '@saldo/core'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { NewAccessKey } from '../NewAccessKey.tsx'
import { ResourceList } from '../ResourceList.tsx'
import { Section } from '../Section.tsx'

/** Tokens with which programs use the API in the user's name. */
export function TokensSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { session } = useSaldo()
  const tokens = useResource(useCallback(() => session.tokens(), [session]))
  const revoke = async (id: string) => {
    await act(session.revokeToken(id))
    await tokens.again()
  }
  const texts = {
    make: t('settings.tokens.make'),
    name: t('settings.tokens.name'),
    nameHelp: t('settings.tokens.nameHelp'),
    once: t('settings.tokens.once'),
  }
  return (
    <Section title={t('settings.tokens.title')} lead={t('settings.tokens.lead')}>
      <ResourceList resource={tokens} empty={t('settings.tokens.none')}>
        {({ id, name, created_at, last_used_at }) => {
          const created = t('settings.tokens.made', { when: format.dateTime(epochMs(created_at)) })
          const used =
            last_used_at === null
              ? t('settings.tokens.unused')
              : t('settings.tokens.used', { when: format.dateTime(epochMs(last_used_at)) })
          return (
            <>
              <RowName name={name} details={`${created}, ${used}`} />
              <ConfirmButton
                label={t('settings.tokens.revoke')}
                of={name}
                question={t('settings.tokens.question')}
                onConfirm={() => revoke(id)}
              />
            </>
          )
        }}
      </ResourceList>
      {tokens.answer && (
        <NewAccessKey texts={texts} create={(name, proof) => session.createToken(name, proof)} onMade={tokens.again} />
      )}
      <Anchor href="/api/docs" target="_blank" size="sm">
        {t('settings.tokens.docs')}
      </Anchor>
    </Section>
  )
}
