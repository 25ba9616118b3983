import { PasswordInput, type PasswordInputProps, TextInput } from '@mantine/core'
import { useTranslation } from '../i18n/translation.ts'

interface PasswordFieldProps extends Omit<PasswordInputProps, 'onChange'> {
  autoComplete: 'current-password' | 'new-password'
  onChange(password: string): void
}

/** A required password, which its button shows. */
export function PasswordField({ onChange, ...rest }: PasswordFieldProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      required
      aria-invalid={Boolean(rest.error)}
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...rest}
    />
  )
}

interface CodeFieldProps {
  value: string
  onChange: (value: string) => void
  /** True if a recovery code is accepted too. */
  isSignIn?: boolean
  error?: string | undefined
}

/** A field for the code of an authenticator app. It takes the focus when it appears. */
export function CodeField({ value, onChange, isSignIn = false, error }: CodeFieldProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('ui.code.label')}
      description={isSignIn ? t('ui.code.orRecovery') : t('ui.code.help')}
      autoComplete="one-time-code"
      autoCapitalize="off"
      spellCheck={false}
      maxLength={64}
      autoFocus
      required
      error={error}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}
