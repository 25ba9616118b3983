import { Button, Group, Text } from '@mantine/core'
import { passkeysOf, RejectedError } from '@saldo/client'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useVisitor } from '../../../context/session.tsx'
import { hasPasskeys } from '../../../domain/session/passkeys/has-passkeys.ts'
import { AuthenticatorError } from '../../../ui/feedback/authenticator-error.ts'
import { browserOf } from '../account/browser-of.ts'
import classes from '../account/rows.module.css'
import { Section } from '../Section.tsx'
import { PasswordForm } from '../second-factor/PasswordForm.tsx'
import { useAsked } from '../useAsked.ts'
import { PasskeyWords } from './PasskeyWords.tsx'
import { RenameForm } from './RenameForm.tsx'

/** What is being done; at rest, nothing. */
type Step = { of: 'adding' } | { of: 'renaming' | 'removing'; id: string } | undefined

/** Keys that sign in instead of the password. */
export function PasskeysSection() {
  const { t } = useTranslation()
  const { user } = useVisitor()
  const passkeys = useMemo(() => passkeysOf(user.user), [user.user])
  const { answer, failure, again } = useAsked(useCallback(() => passkeys.list(), [passkeys]))
  const [step, setStep] = useState<Step>()
  const rest = () => setStep(undefined)
  const done = async () => {
    await again()
    rest()
  }
  const add = async (password: string) => {
    const { keyFor } = await import('../../../domain/session/passkeys/authenticator.ts')
    const credential = await keyFor(await passkeys.creationOptions(password))
    const name = browserOf(navigator.userAgent) ?? t('settings.passkeys.unnamed')
    await passkeys.add(name.slice(0, 100), credential).catch((error: unknown) => {
      throw error instanceof RejectedError ? new AuthenticatorError('settings.passkeys.refused', error) : error
    })
    await done()
  }
  return (
    <Section title={t('settings.passkeys.title')} lead={t('settings.passkeys.lead')}>
      {failure && <Text c="dimmed">{failure}</Text>}
      {answer?.length === 0 && <Text c="dimmed">{t('settings.passkeys.none')}</Text>}
      {answer && answer.length > 0 && (
        <ul className={classes.list}>
          {answer.map((passkey) => {
            const { id, name } = passkey
            const doing = step && 'id' in step && step.id === id ? step.of : undefined
            return (
              <li key={id} className={classes.row}>
                {doing === 'renaming' && (
                  <RenameForm
                    name={name}
                    rename={async (next) => {
                      await passkeys.rename(id, next)
                      await done()
                    }}
                    onCancel={rest}
                  />
                )}
                {doing === 'removing' && (
                  <PasswordForm
                    action={t('settings.passkeys.remove')}
                    act={async (password) => {
                      await passkeys.remove(id, password)
                      await done()
                    }}
                    onCancel={rest}
                  />
                )}
                {doing === undefined && (
                  <>
                    <PasskeyWords passkey={passkey} />
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
                )}
              </li>
            )
          })}
        </ul>
      )}
      {answer && !hasPasskeys && <Text>{t('settings.passkeys.notHere')}</Text>}
      {answer && hasPasskeys && step?.of !== 'adding' && (
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
