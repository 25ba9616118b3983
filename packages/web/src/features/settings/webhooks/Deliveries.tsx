import { Button, Group, Stack, Text } from '@mantine/core'
import type { Webhooks } from '@saldo/client/webhooks'
import { epochMs, type WebhookDelivery, type WebhookRow } from '@saldo/core'
import { useCallback, useEffect } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { ResourceList } from '../ResourceList.tsx'
import { hasUntried, outcomeOf } from './webhooks-model.ts'

/** The service sends within this time what was not tried yet. */
const SENT_AFTER_MS = 2_000

interface Props {
  webhooks: Webhooks
  webhook: Pick<WebhookRow, 'id' | 'url' | 'disabled'>
  onClose: () => void
}

/** The deliveries of a webhook with their outcome, and a test. */
export function Deliveries({ webhooks, webhook: { id, url, disabled }, onClose }: Props) {
  const { t } = useTranslation()
  const { act } = useAct()
  const deliveries = useResource(useCallback(() => webhooks.deliveries(id), [webhooks, id]))
  const { answer, again } = deliveries
  // Every answer is another object, so it is asked again until everything was tried.
  useEffect(() => {
    if (!answer || !hasUntried(answer)) return
    const timer = setTimeout(() => void again(), SENT_AFTER_MS)
    return () => clearTimeout(timer)
  }, [answer, again])
  const sendTest = async () => {
    await act(webhooks.test(id))
    await again()
  }
  return (
    <Dialog title={t('settings.webhooks.deliveries')} onClose={onClose} size="lg">
      <Stack>
        <Text size="sm" c="dimmed">
          {url}
        </Text>
        <Group>
          <Button variant="default" onClick={() => void sendTest()}>
            {t('settings.webhooks.test')}
          </Button>
          {disabled !== null && <Text size="sm">{t('settings.webhooks.testHelp')}</Text>}
        </Group>
        <ResourceList resource={deliveries} empty={t('settings.webhooks.noDeliveries')}>
          {(delivery) => <DeliveryLine delivery={delivery} />}
        </ResourceList>
      </Stack>
    </Dialog>
  )
}

function DeliveryLine({ delivery }: { delivery: WebhookDelivery }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { type, created_at, next_attempt_at } = delivery
  const { key, problem } = outcomeOf(delivery)
  const values = {
    ...(problem && { why: t(`settings.webhooks.problem.${problem.key}`, { status: problem.status }) }),
    ...(next_attempt_at !== null && { when: format.dateTime(epochMs(next_attempt_at)) }),
  }
  return (
    <RowName
      name={t(`settings.webhooks.types.${type.replace('.', '_')}`)}
      details={`${format.dateTime(epochMs(created_at))}, ${t(`settings.webhooks.${key}`, values)}`}
    />
  )
}
