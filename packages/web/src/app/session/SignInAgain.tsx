import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core'
import { NotSignedInError } from '@saldo/client'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureOf } from '../../ui/feedback/failure.ts'
import { useSaldo } from '../saldo.tsx'
import { useVisitor } from './session-context.tsx'

/** The session has ended: the data stays in sight, and the password brings sync back. */
export default function SignInAgain({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const { user } = useVisitor()
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<string>()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    try {
      await saldo.session.signIn(user.email, password)
      setPassword('')
      onClose()
    } catch (error) {
      const { key, detail } = failureOf(error)
      setFailure(error instanceof NotSignedInError ? t('signIn.wrong') : t(key, { detail }))
    }
  }
  return (
    <Modal opened onClose={onClose} title={t('signIn.again')}>
      <form onSubmit={(event) => void send(event)}>
        <Stack>
          <Text>{t('signIn.againWhy', { email: user.email })}</Text>
          <PasswordInput
            label={t('signIn.password')}
            autoComplete="current-password"
            required
            withAsterisk={false}
            data-autofocus
            error={failure}
            visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
          <Button type="submit">{t('signIn.signIn')}</Button>
        </Stack>
      </form>
    </Modal>
  )
}
