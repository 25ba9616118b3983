import { Checkbox, Select } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { type AwayPage, epochMs, feedLanguages } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useToday } from '../../domain/account/TimelineProvider.tsx'
import { useTeam } from '../../domain/team/TeamProvider.tsx'
import { useTeamCalls } from '../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { ConfirmButton } from '../../ui/ConfirmButton.tsx'
import { useAct } from '../../ui/feedback/useAct.tsx'
import { RowName } from '../../ui/RowName.tsx'
import { useResource } from '../../ui/useResource.ts'
import { NewAccessKey } from './NewAccessKey.tsx'
import { ResourceList } from './ResourceList.tsx'
import { Section } from './Section.tsx'

type FeedGroup = AwayPage['groups'][number]

/** Returns the groups of which the user sees who is away. */
function useFeedGroups(): readonly FeedGroup[] {
  const { team } = useTeam()
  const calls = useTeamCalls()
  const today = useToday()
  const hasTeam = team !== undefined
  const { answer } = useResource(
    useCallback(async () => {
      if (!hasTeam) return []
      return (await calls.away({ from: today, to: today, group: null, cursor: null })).groups
    }, [hasTeam, calls, today]),
  )
  return answer ?? []
}

/** Creates a calendar feed with the chosen content, in the language of the app, and shows its address once. */
function NewFeed({ groups, onMade }: { groups: readonly FeedGroup[]; onMade: () => Promise<void> }) {
  const { t, language } = useTranslation()
  const { userAccount } = useSaldo()
  const [group, setGroup] = useState<number | null>(null)
  const [content, setContent] = useState<string[]>(['absences'])
  const showsNothing = group === null && content.length === 0
  const create = async (name: string, proof: Parameters<typeof userAccount.createFeed>[1]) => {
    const feedLanguage = feedLanguages.find((known) => known === language) ?? 'en'
    const shows = (part: string) => group === null && content.includes(part)
    const feed = { name, absences: shows('absences'), work: shows('work'), group_id: group, language: feedLanguage }
    const path = await userAccount.createFeed(feed, proof)
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
      {groups.length > 0 && (
        <Select
          label={t('settings.feeds.whose')}
          description={group === null ? undefined : t('settings.feeds.groupHelp')}
          data={[
            { value: '', label: t('settings.feeds.own') },
            ...groups.map(({ id, name }) => ({ value: String(id), label: t('settings.feeds.shows.group', { name }) })),
          ]}
          value={group === null ? '' : String(group)}
          allowDeselect={false}
          onChange={(value) => setGroup(value ? Number(value) : null)}
        />
      )}
      {group === null && (
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
      )}
    </NewAccessKey>
  )
}

/** Secret addresses under which other calendars show absences and work. */
export function FeedsSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { userAccount } = useSaldo()
  const groups = useFeedGroups()
  const feeds = useResource(useCallback(() => userAccount.feeds(), [userAccount]))
  const revoke = async (id: string) => {
    await act(userAccount.revokeFeed(id))
    await feeds.again()
  }
  return (
    <Section id="feeds" title={t('settings.feeds.title')} lead={t('settings.feeds.lead')}>
      <ResourceList resource={feeds} empty={t('settings.feeds.none')}>
        {({ id, name, absences, work, group_id, last_used_at }) => {
          const group = groups.find((one) => one.id === group_id)?.name
          const own = absences ? (work ? 'both' : 'absences') : 'work'
          const content = group_id === null ? own : group === undefined ? 'someGroup' : 'group'
          const used =
            last_used_at === null
              ? t('settings.feeds.unused')
              : t('settings.feeds.used', { when: format.dateTime(epochMs(last_used_at)) })
          return (
            <>
              <RowName name={name} details={`${t(`settings.feeds.shows.${content}`, { name: group })}, ${used}`} />
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
      {feeds.answer && <NewFeed groups={groups} onMade={feeds.again} />}
    </Section>
  )
}
