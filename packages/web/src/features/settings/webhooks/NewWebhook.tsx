import { Checkbox } from '@mantine/core'
import type { Webhooks } from '@saldo/client/webhooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { NewAccessKey } from '../NewAccessKey.tsx'
import { type EventGroup, eventGroups, eventsOf } from './webhooks-model.ts'

interface Props {
  webhooks: Webhooks
  /** True if the user has as many as they can. */
  isFull: boolean
  onMade: () => Promise<void>
}

/** Creates a webhook with the chosen events and shows its secret once. */
export function NewWebhook({ webhooks, isFull, onMade }: Props) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<EventGroup[]>(['week'])
  const choosesNothing = chosen.length === 0
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
        {eventGroups.map((group, index) => (
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
