import { Button, Group, Stack, Text } from '@mantine/core'
import type { Export } from '@saldo/client'
import { useSaldo } from '@saldo/client/react'
import { type FormEvent, useState } from 'react'
import { SignInFirst } from '../../../domain/session/CompanyButtons.tsx'
import { forgetHere } from '../../../domain/session/leave-device.ts'
import { useHasPassword } from '../../../domain/session/session-hooks.ts'
import { useOwnMonths } from '../../../domain/team/useOwnMonths.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { PasswordField } from '../../../ui/CredentialFields.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { useInvalidFocus } from '../../../ui/focus.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { useSavedExport, useUnsent } from './own-data.ts'

/** The service deletes an account only after all of it was exported: what is gone can then be looked up. */
export default function DeleteUserAccount({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const saldo = useSaldo()
  const unsent = useUnsent()
  const saveExport = useSavedExport()
  const hasPassword = useHasPassword()
  const { answer: ownMonths } = useOwnMonths()
  const { isBusy, failure, failedField, attempt } = useAttempt({
    forbidden: [hasPassword ? 'settings.password.wrong' : 'signIn.company.again', 'password'],
    precondition_failed: 'settings.data.changed',
    conflict: 'settings.data.ofCompany',
  })
  const [exported, setExported] = useState<Export>()
  const [password, setPassword] = useState('')
  const save = () => attempt(saveExport(saldo.userAccount.export()).then(setExported))
  const remove = async (event: FormEvent) => {
    event.preventDefault()
    if (!exported) return
    if (await attempt(saldo.userAccount.deleteAccount(password, exported))) await forgetHere(saldo)
  }
  return (
    <Dialog title={t('settings.data.deleteTitle')} onClose={onClose}>
      <form ref={useInvalidFocus(failedField)} onSubmit={(event) => void remove(event)}>
        <Stack>
          <Text>{t('settings.data.deleteWhy')}</Text>
          {ownMonths && <Text>{t('team.monthRule.kept', { count: ownMonths.months_kept })}</Text>}
          {unsent > 0 && <Text fw={600}>{t('settings.data.loses', { count: unsent })}</Text>}
          <Group gap="sm">
            <Button variant="default" data-autofocus loading={isBusy && !exported} onClick={() => void save()}>
              {t('settings.data.export')}
            </Button>
            <Text size="sm" role="status" c="var(--saldo-accent-text)">
              {exported && t('settings.data.exported')}
            </Text>
          </Group>
          {failure && failedField === undefined && <ProblemText>{failure}</ProblemText>}
          {hasPassword ? (
            <PasswordField
              label={t('signIn.password')}
              autoComplete="current-password"
              disabled={!exported}
              error={failedField === 'password' && failure}
              value={password}
              onChange={setPassword}
            />
          ) : (
            <SignInFirst failure={failedField && failure} />
          )}
          <FormFooter
            action={t('settings.data.deleteForGood')}
            color="red"
            disabled={!exported}
            loading={isBusy && exported !== undefined}
            onCancel={onClose}
          />
        </Stack>
      </form>
    </Dialog>
  )
}
