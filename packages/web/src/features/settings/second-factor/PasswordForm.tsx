import { Button, Group, PasswordInput, Stack } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useVisitor } from '../../../app/session/session-context.tsx'
import { useAttempt } from '../useAttempt.ts'

interface Props {
  /** What the password is asked for. */
  action: string
  act: (password: string) => Promise<unknown>
  onCancel: () => void
}

/** Asks for the password again, before something that whoever finds an open session must not do. */
export function PasswordForm({ action, act, onCancel }: Props) {
  const { t } = useTranslation()
  const { user } = useVisitor()
  const [password, setPassword] = useState('')
  const { isBusy, failure, attempt } = useAttempt({ forbidden: 'settings.password.wrong' })
  const send = (event: FormEvent) => {
    event.preventDefault()
    void attempt(act(password))
  }
  return (
    <form onSubmit={send}>
      <Stack maw="20rem">
        <input type="hidden" autoComplete="username" value={user.email} />
        <PasswordInput
          label={t('settings.password.current')}
          autoComplete="current-password"
          autoFocus
          required
          withAsterisk={false}
          visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword') }}
          error={failure}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
        <Group>
          <Button type="submit" variant="default" loading={isBusy}>
            {action}
          </Button>
          <Button variant="subtle" color="gray" onClick={onCancel}>
            {t('ui.cancel')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
