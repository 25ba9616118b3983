import { Button, Group, Select, Stack, TextInput, Title } from '@mantine/core'
import { addDays, FIRST_EFFECTIVE_DATE, type Settings } from '@saldo/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../context/FormatProvider.tsx'
import { WeekHours } from '../../domain/work-hours/WeekHours.tsx'
import { ProblemText } from '../../ui/ProblemText.tsx'
import { AlteredSummary, AlteredWeeks } from './AlteredWeeks.tsx'
import { AutoCloseField } from './AutoCloseField.tsx'
import { BreakPolicyField } from './BreakPolicyField.tsx'
import classes from './ChangeForm.module.css'
import { useChange } from './useChange.ts'
import type { Schedule } from './useSchedule.ts'
import { ZoneField } from './ZoneField.tsx'

const SOME_SUNDAY = '2026-01-04'
const weekdays = [1, 2, 3, 4, 5, 6, 7]

interface Props {
  schedule: Schedule
  /** The row that is edited; without one a change is made anew. */
  edited: Settings | undefined
  onDone: () => void
}

/** What holds from a date on, and what that does to weeks that are closed. */
export function ChangeForm({ schedule, edited, onDone }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { draft, problem, weeks, zone, isReplacing, change, save } = useChange(schedule, edited, onDone)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="xl">
        <TextInput
          type="date"
          label={t('schedule.form.from')}
          description={isReplacing ? t('schedule.form.replaces') : t('schedule.form.fromHelp')}
          className={classes.short}
          error={problem !== undefined}
          min={FIRST_EFFECTIVE_DATE}
          required
          data-autofocus
          value={draft.effective_from}
          onChange={({ currentTarget: { value } }) => value && change({ effective_from: value })}
        />
        <Part title={t('schedule.hours')}>
          <WeekHours
            label={t('schedule.hours')}
            targetMs={draft.target_ms}
            onChange={(target_ms) => change({ target_ms })}
          />
        </Part>
        <BreakPolicyField value={draft.break_policy} onChange={(break_policy) => change({ break_policy })} />
        <AutoCloseField value={draft.auto_close} onChange={(auto_close) => change({ auto_close })} />
        <ZoneField value={draft.time_zone} meaning={zone} onChange={(time_zone) => change({ time_zone })} />
        <Select
          label={t('schedule.weekStart')}
          description={t('schedule.weekStartHelp')}
          className={classes.short}
          allowDeselect={false}
          data={weekdays.map((day) => ({
            value: String(day),
            label: format.date(addDays(SOME_SUNDAY, day), 'weekday'),
          }))}
          value={String(draft.week_starts_on)}
          onChange={(day) => day && change({ week_starts_on: Number(day) })}
        />
        <TextInput
          label={t('schedule.note')}
          maxLength={5_000}
          value={draft.note}
          onChange={({ currentTarget: { value } }) => change({ note: value })}
        />
        <AlteredWeeks weeks={weeks} />
        <div className={classes.foot}>
          {problem ? (
            <ProblemText>{t(`schedule.form.problem.${problem}`)}</ProblemText>
          ) : (
            <AlteredSummary weeks={weeks} />
          )}
          <Group justify="flex-end" gap="sm" wrap="nowrap" className={classes.actions}>
            <Button variant="default" onClick={onDone}>
              {t('ui.cancel')}
            </Button>
            <Button type="submit" disabled={problem !== undefined}>
              {t('ui.save')}
            </Button>
          </Group>
        </div>
      </Stack>
    </form>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.fields} aria-labelledby={id}>
      <Title order={3} id={id}>
        {title}
      </Title>
      {children}
    </section>
  )
}
