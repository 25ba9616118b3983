import { Button, Code, CopyButton, Group, Stack, Text } from '@mantine/core'
import { epochMs, type UserAccountLink, type UserAccountRow } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import classes from './LinkDialog.module.css'

/** A link that was just made for an account. */
export interface CreatedLink {
  account: UserAccountRow
  link: UserAccountLink
}

/** Shows a link to copy, once, or says where it was mailed. */
export default function LinkDialog({
  made: {
    account: { name, email, state },
    link: { path, expires_at, mail },
  },
  onClose,
}: {
  made: CreatedLink
  onClose: () => void
}) {
  const { t } = useTranslation()
  const format = useFormat()
  const address = path === null ? undefined : `${location.origin}${path}`
  // Where people sign in at their company alone, there is no secret to pass on.
  const isSignInPage = path === '/'
  const values = { name: name || email, email, when: format.dateTime(epochMs(expires_at)) }
  return (
    <Dialog
      title={t(
        state === 'invited' || isSignInPage ? 'userAccounts.link.invitation' : 'userAccounts.link.reset',
        values,
      )}
      onClose={onClose}
    >
      <Stack>
        {mail === 'sent' && <Text>{t('userAccounts.link.mailed', values)}</Text>}
        {address === undefined && <Text c="dimmed">{t('userAccounts.link.notShown', values)}</Text>}
        {mail === 'failed' && <Notice>{t('userAccounts.link.notMailed', values)}</Notice>}
        {mail !== 'sent' && (
          <Text>
            {t(
              state === 'invited' || isSignInPage ? 'userAccounts.link.sendInvitation' : 'userAccounts.link.sendReset',
              values,
            )}
          </Text>
        )}
        {address !== undefined && (
          <>
            <Code className={classes.address ?? ''}>{address}</Code>
            <Text size="sm" c="dimmed">
              {t(isSignInPage ? 'userAccounts.link.company' : 'userAccounts.link.once', values)}
            </Text>
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('ui.close')}
          </Button>
          {address !== undefined && (
            <CopyButton value={address}>
              {({ copied, copy }) => (
                <Button data-autofocus onClick={copy}>
                  {t(copied ? 'userAccounts.link.copied' : 'userAccounts.link.copy')}
                </Button>
              )}
            </CopyButton>
          )}
        </Group>
      </Stack>
    </Dialog>
  )
}
