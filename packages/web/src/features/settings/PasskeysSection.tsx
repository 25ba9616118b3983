import { Button, Group, Text, TextInput } from '@mantine/core'
import { passkeysOf, RejectedError } from '@saldo/client'
import { epochMs } from '@saldo/core'
import { useCallback, useMemo, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useSignedIn } from '../../context/session.tsx'
import { PasswordForm } from '../../domain/session/PasswordForm.tsx'
import { hasPasskeys } from '../../domain/session/passkeys/PasskeyButton.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { AuthenticatorError } from '../../ui/feedback/failure.ts'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { RowName } from '../../ui/RowName.tsx'
import { StepForm } from '../../ui/StepForm.tsx'
import { useResource } from '../../ui/useResource.ts'
import { ResourceList } from './ResourceList.tsx'
import { Section } from './Section.tsx'
import { browserOf } from './settings-model.ts'

interface Props {
  name: string
  rename: (name: string) => Promise<unknown>
  onCancel: () => void
}

/** Another name for a passkey, so that its owner knows which it is. */
function RenameForm({ name: present, rename, onCancel }: Props) {
  const { t } = useTranslation()
  const [name, setName] = useState(present)
  const { isBusy, failure, attempt } = useAttempt({})
  return (
    <StepForm
      action={t('ui.save')}
      isBusy={isBusy}
      onSend={() => void attempt(rename(name.trim()))}
      onCancel={onCancel}
    >
      <TextInput
        label={t('settings.passkeys.name')}
        autoFocus
        required
        maxLength={100}
        error={failure}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </StepForm>
  )
}

/** The open form, if any. */
type Step = { of: 'adding' } | { of: 'renaming' | 'removing'; id: string } | undefined

/** Passkeys, which sign in without the password. */
export function PasskeysSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { user } = useSignedIn()
  const passkeys = useMemo(() => passkeysOf(user.user), [user.user])
  const list = useResource(useCallback(() => passkeys.list(), [passkeys]))
  const [step, setStep] = useState<Step>()
  const rest = () => setStep(undefined)
  const done = async () => {
    await list.again()
    rest()
  }
  const add = async (password: string) => {
    const { createPasskey } = await import('../../domain/session/passkeys/authenticator.ts')
    const credential = await createPasskey(await passkeys.creationOptions(password))
    const name = browserOf(navigator.userAgent) ?? t('settings.passkeys.unnamed')
    await passkeys.add(name.slice(0, 100), credential).catch((error: unknown) => {
      throw error instanceof RejectedError ? new AuthenticatorError('settings.passkeys.rejected', error) : error
    })
    await done()
  }
  return (
    <Section id="passkeys" title={t('settings.passkeys.title')} lead={t('settings.passkeys.lead')}>
      <ResourceList resource={list} empty={t('settings.passkeys.none')}>
        {({ id, name, created_at, last_used_at }) => {
          const current = step && 'id' in step && step.id === id ? step.of : undefined
          if (current === 'renaming') {
            return <RenameForm name={name} rename={(next) => passkeys.rename(id, next).then(done)} onCancel={rest} />
          }
          if (current === 'removing') {
            return (
              <PasswordForm
                action={t('settings.passkeys.remove')}
                act={(password) => passkeys.remove(id, password).then(done)}
                onCancel={rest}
              />
            )
          }
          const added = t('settings.passkeys.added', { when: format.dateTime(epochMs(created_at)) })
          const used =
            last_used_at === null
              ? t('settings.passkeys.unused')
              : t('settings.passkeys.used', { when: format.dateTime(epochMs(last_used_at)) })
          return (
            <>
              <RowName name={name} details={`${added}, ${used}`} />
              <Group gap="xs">
                {(['renaming', 'removing'] as const).map((of) => {
                  const label = t(of === 'renaming' ? 'settings.passkeys.rename' : 'settings.passkeys.remove')
                  return (
                    <Button
                      key={of}
                      size="compact-md"
                      variant="default"
                      aria-label={`${label}: ${name}`}
                      onClick={() => setStep({ of, id })}
                    >
                      {label}
                    </Button>
                  )
                })}
              </Group>
            </>
          )
        }}
      </ResourceList>
      {list.answer && !hasPasskeys && <Text>{t('settings.passkeys.notHere')}</Text>}
      {list.answer && hasPasskeys && step?.of !== 'adding' && (
        <Group>
          <Button variant="default" onClick={() => setStep({ of: 'adding' })}>
            {t('settings.passkeys.add')}
          </Button>
        </Group>
      )}
      {step?.of === 'adding' && <PasswordForm action={t('settings.passkeys.add')} act={add} onCancel={rest} />}
    </Section>
  )
}
