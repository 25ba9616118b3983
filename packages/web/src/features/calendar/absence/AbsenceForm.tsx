import { Button, Chip, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { dayEntryKinds, type Settings, type Timeline } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { ProblemText } from '../../../ui/ProblemText.tsx'
import { PlanText } from './PlanText.tsx'
import { ShareChoice } from './ShareChoice.tsx'
import { type AbsenceIntent, useAbsence } from './useAbsence.ts'

interface Props {
  intent: AbsenceIntent
  timeline: Timeline<Settings>
  onDone: () => void
}

/** Who is away from when to when, why, and for how much of the day. */
export function AbsenceForm({ intent, timeline, onDone }: Props) {
  const { t } = useTranslation()
  const { draft, problem, plan, isPossible, change, save } = useAbsence(intent, timeline, onDone)
  const isNew = intent.record === undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack>
        <Stack gap="xs">
          <Group gap="xs" role="radiogroup" aria-label={t('calendar.kind')}>
            {dayEntryKinds.map((kind) => (
              <Chip
                key={kind}
                type="radio"
                name="absence-kind"
                checked={draft.kind === kind}
                onChange={() => change({ kind })}
              >
                {t(`entries.kind.${kind}`)}
              </Chip>
            ))}
          </Group>
          <Text size="sm" c="dimmed" aria-live="polite">
            {t(`calendar.effect.${draft.kind}`)}
          </Text>
        </Stack>
        <Group grow>
          <TextInput
            type="date"
            label={isNew ? t('calendar.absence.from') : t('calendar.absence.date')}
            required
            value={draft.from}
            onChange={({ currentTarget: { value } }) =>
              value && change({ from: value, ...((draft.to === draft.from || draft.to < value) && { to: value }) })
            }
          />
          {isNew && (
            <TextInput
              type="date"
              label={t('calendar.absence.to')}
              required
              min={draft.from}
              value={draft.to}
              onChange={({ currentTarget: { value } }) =>
                value && change({ to: value, ...(draft.to === draft.from && { isSkippingFree: true }) })
              }
            />
          )}
        </Group>
        <ShareChoice value={draft.share} onChange={(share) => change({ share })} />
        {isNew && draft.from !== draft.to && (
          <Switch
            label={t('calendar.absence.skip')}
            checked={draft.isSkippingFree}
            onChange={(event) => change({ isSkippingFree: event.currentTarget.checked })}
          />
        )}
        <TextInput
          label={t('calendar.absence.note')}
          maxLength={5_000}
          value={draft.note}
          onChange={({ currentTarget: { value } }) => change({ note: value })}
        />
        {problem ? (
          <ProblemText>{t(`calendar.absence.problem.${problem}`)}</ProblemText>
        ) : (
          isNew && plan && <PlanText plan={plan} />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onDone}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" disabled={!isPossible}>
            {isNew ? t('calendar.absence.enter') : t('ui.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
