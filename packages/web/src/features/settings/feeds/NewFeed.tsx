import { Checkbox } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { feedLanguages } from '@saldo/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewAccessKey } from '../NewAccessKey.tsx'

/** Creates a calendar feed with the chosen content, in the language of the app, and shows its address once. */
export function NewFeed({ onMade }: { onMade: () => Promise<void> }) {
  const { t, i18n } = useTranslation()
  const { userAccount } = useSaldo()
  const [content, setContent] = useState<string[]>(['absences'])
  const showsNothing = content.length === 0
  const create = async (name: string, proof: Parameters<typeof userAccount.createFeed>[1]) => {
    const language = feedLanguages.find((known) => known === i18n.language) ?? 'en'
    const [absences, work] = [content.includes('absences'), content.includes('work')]
    const path = await userAccount.createFeed({ name, absences, work, language }, proof)
    return new URL(path, location.origin).href
  }
  const texts = {
    make: t('settings.feeds.make'),
    name: t('settings.feeds.name'),
    nameHelp: t('settings.feeds.nameHelp'),
    once: t('settings.feeds.once'),
  }
  return (
    <NewAccessKey texts={texts} isComplete={!showsNothing} create={create} onMade={onMade}>
      <Checkbox.Group
        label={t('settings.feeds.content')}
        error={showsNothing && t('settings.feeds.chooseOne')}
        errorProps={{ mt: 'xs' }}
        value={content}
        onChange={setContent}
      >
        <Checkbox
          mt="xs"
          value="absences"
          label={t('settings.feeds.absences')}
          description={t('settings.feeds.absencesHelp')}
          // The browser then asks for one of the two.
          required={showsNothing}
        />
        <Checkbox mt="xs" value="work" label={t('settings.feeds.work')} description={t('settings.feeds.workHelp')} />
      </Checkbox.Group>
    </NewAccessKey>
  )
}
