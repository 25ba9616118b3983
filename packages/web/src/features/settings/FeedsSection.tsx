import { Checkbox } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { epochMs, feedLanguages } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { RowName } from '../../ui/RowName.tsx'
import { useResource } from '../../ui/useResource.ts'
import { NewAccessKey } from './NewAccessKey.tsx'
import { ResourceList } from './ResourceList.tsx'
import { Section } from './Section.tsx'

/** Creates a calendar feed with the chosen content, in the language of the app, and shows its address once. */
function NewFeed({ onMade }: { onMade: () => Promise<void> }) {
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

/** Secret addresses under which other calendars show absences and work. */
export function FeedsSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { userAccount } = useSaldo()
  const feeds = useResource(useCallback(() => userAccount.feeds(), [userAccount]))
  const revoke = async (id: string) => {
    await act(userAccount.revokeFeed(id))
    await feeds.again()
  }
  return (
    <Section id="feeds" title={t('settings.feeds.title')} lead={t('settings.feeds.lead')}>
      <ResourceList resource={feeds} empty={t('settings.feeds.none')}>
        {({ id, name, absences, work, last_used_at }) => {
          const content = absences ? (work ? 'both' : 'absences') : 'work'
          const used =
            last_used_at === null
              ? t('settings.feeds.unused')
              : t('settings.feeds.used', { when: format.dateTime(epochMs(last_used_at)) })
          return (
            <>
              <RowName name={name} details={`${t(`settings.feeds.shows.${content}`)}, ${used}`} />
              <ConfirmButton
                label={t('settings.tokens.revoke')}
                of={name}
                question={t('settings.feeds.question')}
                onConfirm={() => revoke(id)}
              />
            </>
          )
        }}
      </ResourceList>
      {feeds.answer && <NewFeed onMade={feeds.again} />}
    </Section>
  )
}
