import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import type { Profile } from '@saldo/core'
import { type FormEvent, useState } from 'react'
import { keepProfile } from '../../domain/profile/sync-profile.ts'
import { useProfile } from '../../domain/profile/useProfile.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { useAttempt } from '../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../ui/Notice.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { Section } from './Section.tsx'
import { editsLeft } from './settings-model.ts'

const MAX_LENGTH = 200
const fields = [
  { field: 'name', autoComplete: 'name' },
  { field: 'personnel_number', autoComplete: 'off' },
  { field: 'employer', autoComplete: 'organization' },
] as const

/** The facts about the user that the month sheet names. */
export function ProfileSection() {
  const { t } = useTranslation()
  const { userAccount, user } = useSaldo()
  const stored = useProfile()
  const [edited, setEdited] = useState<Partial<Profile>>({})
  const [isSaved, setSaved] = useState(false)
  const { isBusy, failure, attempt } = useAttempt()
  useUnsaved(fields.some(({ field }) => edited[field] !== undefined && edited[field] !== stored[field]))
  const change = (patch: Partial<Profile>) => {
    setEdited((before) => ({ ...before, ...patch }))
    setSaved(false)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const saving = userAccount.changeProfile(edited).then((profile) => {
      keepProfile(user, profile)
      setEdited((now) => editsLeft(now, edited))
    })
    setSaved(await attempt(saving))
  }
  return (
    <Section id="profile" title={t('settings.profile.title')} lead={t('settings.profile.lead')}>
      <form onSubmit={(event) => void save(event)}>
        <Stack>
          {fields.map(({ field, autoComplete }) => (
            <TextInput
              key={field}
              label={t(`settings.profile.${field}`)}
              autoComplete={autoComplete}
              maxLength={MAX_LENGTH}
              value={edited[field] ?? stored[field]}
              onChange={(event) => change({ [field]: event.currentTarget.value })}
            />
          ))}
          {failure && <ProblemText>{failure}</ProblemText>}
          <Group gap="sm">
            <Button type="submit" variant="default" loading={isBusy}>
              {t('ui.save')}
            </Button>
            <Text size="sm" role="status" c="var(--saldo-accent-text)">
              {isSaved && t('settings.profile.saved')}
            </Text>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
