import { Button, Group, Title } from '@mantine/core'
import type { SubstitutionRow } from '@saldo/core'
import { useCallback } from 'react'
import { useRequestText } from '../../../domain/team/useRequestText.ts'
import { useTeamAnswer, useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAct } from '../../../ui/feedback/useAct.tsx'
import rows from '../../../ui/rows.module.css'
import classes from '../TeamView.module.css'

/** The requests of others that name the user as the substitute, who answers whether they can (D26.13). */
export function Substitutions() {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { act } = useAct()
  const { answer, keptAtMs, again } = useTeamAnswer(
    'substitutions',
    useCallback(() => calls.substitutions(), [calls]),
  )
  if (!answer || answer.length === 0) return null
  const reply = async ({ user, request_id, from, to }: SubstitutionRow, chosen: 'can' | 'cannot') => {
    await act(calls.answerAsSubstitute(user.user_id, request_id, { from, to, answer: chosen }))
    await again()
  }
  return (
    <section aria-labelledby="substitutions">
      <Title order={2} id="substitutions" mb="xs">
        {t('team.substitutions.title')}
      </Title>
      <ul className={rows.list}>
        {answer
          .toSorted((a, b) => a.from.localeCompare(b.from))
          .map((row) => (
            <Substitution
              key={`${row.user.user_id} ${row.request_id}`}
              row={row}
              isOffline={keptAtMs !== undefined}
              onReply={reply}
            />
          ))}
      </ul>
    </section>
  )
}

interface Props {
  row: SubstitutionRow
  isOffline: boolean
  onReply: (row: SubstitutionRow, chosen: 'can' | 'cannot') => Promise<void>
}

function Substitution({ row, isOffline, onReply }: Props) {
  const { t } = useTranslation()
  const { datesOf } = useRequestText()
  const { user, from, to, answer } = row
  return (
    <li className={rows.row}>
      <div className={rows.what}>
        <div className={rows.name}>{user.name}</div>
        <div className={rows.details}>{datesOf({ date: from, last_date: to })}</div>
      </div>
      <Group gap="sm">
        {answer !== null && (
          <span className={classes.state} data-colour={answer === 'can' ? 'accent' : 'error'}>
            {t(`team.substitutions.answer.${answer}`)}
          </span>
        )}
        {(['can', 'cannot'] as const)
          .filter((choice) => choice !== answer)
          .map((choice) => (
            <Button
              key={choice}
              size="compact-md"
              variant="default"
              disabled={isOffline}
              aria-label={`${t(`team.substitutions.answer.${choice}`)}: ${user.name}`}
              onClick={() => void onReply(row, choice)}
            >
              {t(`team.substitutions.answer.${choice}`)}
            </Button>
          ))}
      </Group>
    </li>
  )
}
