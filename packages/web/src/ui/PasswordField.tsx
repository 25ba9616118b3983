import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface Props extends Omit<PasswordInputProps, 'onChange'> {
  autoComplete: 'current-password' | 'new-password'
  onChange(password: string): void
}

/** A required password, which its button shows. */
export function PasswordField({ onChange, ...rest }: Props) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...rest}
    />
  )
}
