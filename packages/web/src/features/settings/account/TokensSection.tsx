import { Anchor, Button, Group, TextInput } from '@mantine/core'
import { epochMs } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { PasskeyButton } from '../../../domain/session/passkeys/PasskeyButton.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { ResourceList, ResourceName } from '../ResourceList.tsx'
import { Section } from '../Section.tsx'
import { ShownOnce } from '../ShownOnce.tsx'
import { PasswordForm } from '../second-factor/PasswordForm.tsx'
import { useResource } from '../useResource.ts'

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
              <ResourceName name={name} details={`${created}, ${used}`} />
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
      {tokens.answer && <NewToken onMade={tokens.again} />}
      <Anchor href="/api/docs" target="_blank" size="sm">
        {t('settings.tokens.docs')}
      </Anchor>
    </Section>
  )
}

function NewToken({ onMade }: { onMade: () => Promise<void> }) {
  const { t } = useTranslation()
  const { session } = useSaldo()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const [secret, setSecret] = useState<string>()
  const make = async (proof: Parameters<typeof session.createToken>[1]) => {
    setSecret(await session.createToken(name.trim(), proof))
    setName('')
    setOpen(false)
    await onMade()
  }
  return (
    <>
      {isOpen ? (
        <PasswordForm
          action={t('settings.tokens.make')}
          act={(password) => make({ password })}
          onCancel={() => setOpen(false)}
          instead={
            <PasskeyButton
              action={t('settings.tokens.makeByPasskey')}
              isDisabled={name.trim() === ''}
              act={(credential) => make({ credential })}
            />
          }
        >
          <TextInput
            label={t('settings.tokens.name')}
            description={t('settings.tokens.nameHelp')}
            required
            withAsterisk={false}
            autoFocus
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </PasswordForm>
      ) : (
        <Group>
          <Button variant="default" onClick={() => setOpen(true)}>
            {t('settings.tokens.make')}
          </Button>
        </Group>
      )}
      <ShownOnce secret={secret} hint={t('settings.tokens.once')} />
    </>
  )
}
