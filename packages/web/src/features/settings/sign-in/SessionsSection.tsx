import { Text } from '@mantine/core'
import { useSaldo } from '@saldo/client/react'
import { epochMs } from '@saldo/core'
import { useCallback } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { ConfirmButton } from '../../../ui/ConfirmButton.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { RowName } from '../../../ui/RowName.tsx'
import { useResource } from '../../../ui/useResource.ts'
import { ResourceList } from '../ResourceList.tsx'
import { Section } from '../Section.tsx'
import { browserOf } from '../settings-model.ts'

/** The user's sessions. */
export function SessionsSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { userAccount } = useSaldo()
  const sessions = useResource(useCallback(() => userAccount.sessions(), [userAccount]))
  const end = async (id: number) => {
    await act(userAccount.endSession(id))
    await sessions.again()
  }
  return (
    <Section id="sessions" title={t('settings.sessions.title')} lead={t('settings.sessions.lead')}>
      <ResourceList resource={sessions}>
        {({ id, user_agent, created_at, current }) => {
          const name = browserOf(user_agent) ?? t('settings.sessions.unknown')
          return (
            <>
              <RowName
                name={name}
                details={t('settings.sessions.since', { when: format.dateTime(epochMs(created_at)) })}
              />
              {current ? (
                <Text size="sm">{t('settings.sessions.current')}</Text>
              ) : (
                <ConfirmButton
                  label={t('settings.sessions.end')}
                  of={name}
                  question={t('settings.sessions.question')}
                  onConfirm={() => end(id)}
                />
              )}
            </>
          )
        }}
      </ResourceList>
    </Section>
  )
}
