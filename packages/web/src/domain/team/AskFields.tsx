import { Select, Switch, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useSaldo } from '@saldo/client/react'
import type { LocalDate, RequestContent, UserNumber } from '@saldo/core'
import { useCallback } from 'react'
import { useTranslation } from '../../i18n/translation.ts'
import { useResource } from '../../ui/useResource.ts'
import { ContextFacts } from './ContextFacts.tsx'
import type { Asking } from './requests.ts'
import { useTeamAnswer, useTeamCalls } from './useTeamAnswer.ts'

const TYPING_MS = 400

interface Props {
  asking: Asking
  onChange: (asking: Asking) => void
  /** The request as it would be recorded; `undefined` while the form has a problem. */
  content: RequestContent | undefined
  today: LocalDate
}

/** The fields of a request, and the facts before it (D26.11): who stands in, whether colleagues see it. */
export function AskFields({ asking, onChange, content, today }: Props) {
  const { t } = useTranslation()
  const { user } = useSaldo()
  const calls = useTeamCalls()
  const { answer: colleagues = [] } = useTeamAnswer(
    'colleagues',
    useCallback(async () => {
      const { items } = await calls.away({ from: today, to: today, group: null, cursor: null })
      return items.map(({ user_id, name }) => ({ user_id, name }))
    }, [calls, today]),
  )
  const options = new Map(colleagues.map(({ user_id, name }) => [user_id, name]))
  options.delete(user)
  return (
    <>
      {options.size > 0 && (
        <Select
          label={t('team.ask.substitute')}
          description={t('team.ask.substituteHelp')}
          data={[
            { value: '', label: t('team.ask.nobody') },
            ...[...options].map(([value, label]) => ({ value: String(value), label })),
          ]}
          value={String(asking.substitute ?? '')}
          allowDeselect={false}
          onChange={(value) => onChange({ ...asking, substitute: value ? (Number(value) as UserNumber) : null })}
        />
      )}
      <Switch
        label={t('team.ask.planned')}
        description={t('team.ask.plannedHelp')}
        checked={asking.isPlanned}
        onChange={(event) => onChange({ ...asking, isPlanned: event.currentTarget.checked })}
      />
      {content && <Facts content={content} />}
    </>
  )
}

function Facts({ content }: { content: RequestContent }) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  // The note changes no fact.
  const [text] = useDebouncedValue(JSON.stringify({ ...content, note: '' }), TYPING_MS)
  const { answer, failure } = useResource(
    useCallback(() => calls.contextOf(JSON.parse(text) as RequestContent), [calls, text]),
  )
  return (
    <div aria-live="polite">
      {failure ? <Text c="dimmed">{t('team.ask.offline')}</Text> : answer && <ContextFacts context={answer} />}
    </div>
  )
}
