import { Button, CopyButton, Group, Text } from '@mantine/core'
import { secondFactorOf } from '@saldo/client'
import { type AuthenticatorKey, epochMs } from '@saldo/core'
import { useCallback, useMemo, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSignedIn } from '../../../context/session.tsx'
import { PasswordForm } from '../../../domain/session/PasswordForm.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { useResource } from '../../../ui/useResource.ts'
import { Section } from '../Section.tsx'
import { Enrolment } from './Enrolment.tsx'
import classes from './SecondFactorSection.module.css'

interface Props {
  codes: readonly string[]
  onDone: () => void
}

/** The recovery codes, this once. */
function RecoveryCodes({ codes, onDone }: Props) {
  const { t } = useTranslation()
  return (
    <>
      <Text role="status">{t('settings.secondFactor.keep')}</Text>
      <ul className={classes.codes} aria-label={t('settings.secondFactor.codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group>
        <CopyButton value={codes.join('\n')}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? t('settings.tokens.copied') : t('settings.secondFactor.copy')}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={onDone}>
          {t('settings.secondFactor.kept')}
        </Button>
      </Group>
    </>
  )
}

/** The open form: none, the password, the key for an app and its first code, or the recovery codes. */
type Step =
  | { of: 'rest' }
  | { of: 'password'; to: 'begin' | 'renew' | 'remove' }
  | { of: 'enrolment'; made: AuthenticatorKey }
  | { of: 'codes'; codes: readonly string[] }

const REST: Step = { of: 'rest' }

/** Codes of an authenticator app beside the password. */
export function SecondFactorSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { user } = useSignedIn()
  const factor = useMemo(() => secondFactorOf(user.user), [user.user])
  const { answer, failure, again } = useResource(useCallback(() => factor.state(), [factor]))
  const [step, setStep] = useState(REST)
  const rest = () => setStep(REST)
  const showCodes = async (codes: Promise<string[]>) => {
    setStep({ of: 'codes', codes: await codes })
    await again()
  }
  const acts = {
    begin: async (password: string) => setStep({ of: 'enrolment', made: await factor.begin(password) }),
    renew: (password: string) => showCodes(factor.renewRecoveryCodes(password)),
    remove: async (password: string) => {
      await factor.remove(password)
      await again()
      rest()
    },
  }
  const isOn = answer != null && answer.since !== null
  return (
    <Section id="secondFactor" title={t('settings.secondFactor.title')} lead={t('settings.secondFactor.lead')}>
      {failure && <Text c="dimmed">{failure}</Text>}
      {answer && (
        <Text role="status">
          {answer.since === null
            ? t('settings.secondFactor.off')
            : `${t('settings.secondFactor.on', { when: format.dateTime(epochMs(answer.since)) })} ${t('settings.secondFactor.left', { count: answer.recovery_codes_left })}`}
        </Text>
      )}
      {answer && step.of === 'rest' && (
        <Group>
          {(isOn ? (['renew', 'remove'] as const) : (['begin'] as const)).map((to) => (
            <Button key={to} variant="default" onClick={() => setStep({ of: 'password', to })}>
              {t(`settings.secondFactor.${to}`)}
            </Button>
          ))}
        </Group>
      )}
      {step.of === 'password' && (
        <PasswordForm
          key={step.to}
          action={t(`settings.secondFactor.${step.to}`)}
          act={acts[step.to]}
          onCancel={rest}
        />
      )}
      {step.of === 'enrolment' && (
        <Enrolment made={step.made} confirm={(code) => showCodes(factor.confirm(code))} onCancel={rest} />
      )}
      {step.of === 'codes' && <RecoveryCodes codes={step.codes} onDone={rest} />}
    </Section>
  )
}
