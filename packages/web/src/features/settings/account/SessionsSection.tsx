import { Text } from '@mantine/core'
import { epochMs } from '@saldo/core'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useSaldo } from '../../../context/saldo.tsx'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import { ConfirmButton } from '../ConfirmButton.tsx'
import { Section } from '../Section.tsx'
import { useAsked } from '../useAsked.ts'
import { browserOf } from './browser-of.ts'
import classes from './rows.module.css'

/** Where the user is signed in. */
export function SessionsSection() {
  const { t } = useTranslation()
  const format = useFormat()
  const { act } = useAct()
  const { session } = useSaldo()
  const { answer, failure, again } = useAsked(useCallback(() => session.sessions(), [session]))
  const end = async (id: number) => {
    await act(session.endSession(id))
    await again()
  }
  return (
    <Section title={t('settings.sessions.title')} lead={t('settings.sessions.lead')}>
      {failure && <Text c="dimmed">{failure}</Text>}
      {answer && (
        <ul className={classes.list}>
          {answer.map(({ id, user_agent, created_at, current }) => {
            const name = browserOf(user_agent) ?? t('settings.sessions.unknown')
            return (
              <li key={id} className={classes.row}>
                <div className={classes.what}>
                  <div className={classes.name}>{name}</div>
                  <div className={classes.when}>
                    {t('settings.sessions.since', { when: format.dateTime(epochMs(created_at)) })}
                  </div>
                </div>
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
              </li>
            )
          })}
        </ul>
      )}
    </Section>
  )
}
