import { Button, Checkbox, Group } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { type Webhooks, webhooksOf } from '@saldo/client/webhooks'
import { epochMs, MAX_WEBHOOKS, type WebhookRow } from '@saldo/core'
import { useCallback, useMemo, useState } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTeam } from '../../../domain/team/TeamProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { NewAccessKey } from '../NewAccessKey.tsx'
import { ResourceList } from '../ResourceList.tsx'
import { Section } from '../Section.tsx'
import { Deliveries } from './Deliveries.tsx'
import { type EventGroup, eventGroups, eventGroupsOf, eventsOf } from './webhooks-model.ts'

interface Props {
  webhooks: Webhooks
  /** True if the user has as many as they can. */
  isFull: boolean
  onMade: () => Promise<void>
}

/** Creates a webhook with the chosen events and shows its secret once. */
function NewWebhook({ webhooks, isFull, onMade }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<EventGroup[]>(['week'])
  const { team } = useTeam()
  const choosesNothing = chosen.length === 0
  // The events of a company are for its HR.
  const isOffered = (group: EventGroup) => group !== 'company' || team?.roles.some(({ role }) => role === 'hr') === true
  const texts = {
    make: t('settings.webhooks.make'),
    name: t('settings.webhooks.url'),
    nameHelp: t('settings.webhooks.urlHelp'),
    once: t('settings.webhooks.once'),
  }
  return (
    <NewAccessKey
      texts={texts}
      full={isFull ? t('settings.webhooks.full') : undefined}
      nameField={{ type: 'url', maxLength: 2_000, placeholder: 'https://' }}
      nameWords={{ '/url': ['settings.webhooks.urlRefused', 'name'] }}
      isComplete={!choosesNothing}
      create={(url, proof) => webhooks.create({ url, events: eventsOf(chosen) }, proof)}
      onMade={onMade}
    >
      <Checkbox.Group
        label={t('settings.webhooks.content')}
        error={choosesNothing && t('settings.webhooks.chooseOne')}
        errorProps={{ mt: 'xs' }}
        value={chosen}
        onChange={setChosen}
      >
        {eventGroups.filter(isOffered).map((group, index) => (
          <Checkbox
            key={group}
            mt="xs"
            value={group}
            label={t(`settings.webhooks.events.${group}`)}
            description={t(`settings.webhooks.eventsHelp.${group}`)}
            // The browser then asks for one of them.
            required={choosesNothing && index === 0}
          />
        ))}
      </Checkbox.Group>
    </NewAccessKey>
  )
}

/** Addresses of other programs that the service notifies. */
export function WebhooksSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { user } = useSaldo()
  const webhooks = useMemo(() => webhooksOf(user), [user])
  const list = useResource(useCallback(() => webhooks.list(), [webhooks]))
  const [shown, setShown] = useState<WebhookRow>()
  const remove = async (id: string) => {
    await act(webhooks.remove(id))
    await list.again()
  }
  const detailsOf = ({ events, failing_since, disabled }: WebhookRow) => {
    const names = eventGroupsOf(events).map((group) => t(`settings.webhooks.events.${group}`))
    const state = () => {
      if (disabled !== null) return [t(`settings.webhooks.off.${disabled}`)]
      if (failing_since === null) return []
      return [t('settings.webhooks.failingSince', { when: format.dateTime(epochMs(failing_since)) })]
    }
    return [names.join(', '), ...state()].join(' · ')
  }
  return (
    <Section id="webhooks" title={t('settings.webhooks.title')} lead={t('settings.webhooks.lead')}>
      <ResourceList resource={list} empty={t('settings.webhooks.none')}>
        {(webhook) => (
          <>
            <RowName name={webhook.url} details={detailsOf(webhook)} />
            <Group gap="xs">
              <Button
                size="compact-md"
                variant="default"
                aria-label={`${t('settings.webhooks.deliveries')}: ${webhook.url}`}
                onClick={() => setShown(webhook)}
              >
                {t('settings.webhooks.deliveries')}
              </Button>
              <ConfirmButton
                label={t('settings.webhooks.delete')}
                of={webhook.url}
                question={t('settings.webhooks.question')}
                onConfirm={() => remove(webhook.id)}
              />
            </Group>
          </>
        )}
      </ResourceList>
      {list.answer && (
        <NewWebhook webhooks={webhooks} isFull={list.answer.length >= MAX_WEBHOOKS} onMade={list.again} />
      )}
      {shown && (
        <Deliveries
          webhooks={webhooks}
          webhook={shown}
          onClose={() => {
            setShown(undefined)
            void list.again()
          }}
        />
      )}
    </Section>
  )
}
