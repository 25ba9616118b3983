import { Select, Stack, Text, TextInput } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { teamOf } from '@saldo/client/team'
import type { Proof } from '@saldo/client/user-accounts'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useSignedIn } from '../../context/session.tsx'
import { ProofForm } from '../../domain/session/ProofForm.tsx'
import { useTeam } from '../../domain/team/TeamProvider.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import type { OwnWords } from '../../ui/feedback/failure.ts'

const words: OwnWords = { '/hr': ['userAccounts.company.noAccount', 'email'], conflict: 'userAccounts.company.taken' }

/** Founds a company with its first HR, the admin themself unless another is named (D24.10). */
export function FoundDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const { user } = useSaldo()
  const { email: own } = useSignedIn().user
  const { again } = useTeam()
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const [isSelf, setSelf] = useState(true)
  const [email, setEmail] = useState('')
  const hr = isSelf ? own : email.trim()
  const found = async (proof: Proof) => {
    await teamOf(user).found({ name: name.trim(), hr }, proof)
    await again()
    go('/team/company')
  }
  return (
    <Dialog title={t('userAccounts.company.found')} onClose={onClose} isForm>
      <ProofForm
        action={t('userAccounts.company.found')}
        act={found}
        onCancel={onClose}
        isComplete={name.trim() !== '' && hr !== ''}
        words={words}
      >
        {(failureAt) => (
          <Stack>
            <Text c="dimmed">{t('userAccounts.company.lead')}</Text>
            <TextInput
              label={t('userAccounts.company.name')}
              data-autofocus
              required
              maxLength={200}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Select
              label={t('userAccounts.company.hr')}
              description={t('userAccounts.company.hrHelp')}
              data={[
                { value: 'self', label: t('userAccounts.company.self', { email: own }) },
                { value: 'other', label: t('userAccounts.company.other') },
              ]}
              value={isSelf ? 'self' : 'other'}
              allowDeselect={false}
              onChange={(value) => setSelf(value === 'self')}
            />
            {!isSelf && (
              <TextInput
                type="email"
                label={t('userAccounts.company.email')}
                required
                error={failureAt('email')}
                value={email}
                onChange={(event) => setEmail(event.currentTarget.value)}
              />
            )}
          </Stack>
        )}
      </ProofForm>
    </Dialog>
  )
}
