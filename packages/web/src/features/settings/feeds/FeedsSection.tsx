import { useSaldo } from '@saldo/client/react'
import { epochMs } from '@saldo/core'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { ResourceList } from '../ResourceList.tsx'
import { Section } from '../Section.tsx'
import { NewFeed } from './NewFeed.tsx'

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
    <Section title={t('settings.feeds.title')} lead={t('settings.feeds.lead')}>
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
