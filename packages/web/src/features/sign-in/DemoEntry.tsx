import { Button, Stack, Text } from '@mantine/core'
import { DEMO } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import type { RememberedUser } from '../../context/remembered-user.ts'
import { ProblemText } from '../../ui/ProblemText.tsx'
import { useCredentials } from './useCredentials.ts'

/** Signs in to the account that all visitors of a demo share. */
export function DemoEntry({ onSignedIn }: { onSignedIn: (user: RememberedUser) => Promise<void> }) {
  const { t } = useTranslation()
  const { isBusy, failure, submit } = useCredentials(false, false, onSignedIn)
  return (
    <Stack>
      <Text>{t('signIn.demo.lead')}</Text>
      {failure && <ProblemText>{failure}</ProblemText>}
      <Button size="md" loading={isBusy} onClick={() => void submit({ ...DEMO, name: '' })}>
        {t('signIn.demo.enter')}
      </Button>
    </Stack>
  )
}
