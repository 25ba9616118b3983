import { Button, PasswordInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/Dialog.tsx'
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
      const { key, detail } = failureOf(error, { invalid_credentials: 'signIn.wrong' })
      setFailure(t(key, { detail }))
    }
  }
  return (
    <Dialog title={t('signIn.again')} onClose={onClose}>
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
    </Dialog>
  )
}
