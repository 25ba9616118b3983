import { Chip, Group, Stack, Switch, Text, TextInput } from '@mantine/core'
import { plannedTotals, withFirstDay, withLastDay } from '@saldo/client/entries'
import { type AbsencePlan, absenceKinds, entryLimits, type Settings, type Timeline } from '@saldo/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { SizeChoice } from '../../../domain/entries/SizeChoice.tsx'
import { WorkOnAbsence } from '../../../domain/entries/WorkOnAbsence.tsx'
import { AskFields } from '../../../domain/team/AskFields.tsx'
import { useTranslation } from '../../../i18n/translation.ts'
import { DateInput } from '../../../ui/DateInput.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { FormFooter } from '../../../ui/FormFooter.tsx'
import type { OnDone } from '../../../ui/useEditor.ts'
import { type EditedAbsence, useAbsenceForm } from './useAbsenceForm.ts'

interface Props {
  edited: EditedAbsence
  timeline: Timeline<Settings>
  onDone: OnDone<EditedAbsence>
}

export default function AbsenceDialog({ edited, timeline, onDone }: Props) {
  const { t } = useTranslation()
  return (
    <Dialog isForm title={t(edited.record ? 'calendar.absence.edit' : 'calendar.absence.new')} onClose={() => onDone()}>
      <AbsenceForm edited={edited} timeline={timeline} onDone={onDone} />
    </Dialog>
  )
}

function AbsenceForm({ edited, timeline, onDone }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { form, problem, plan, workedMs, balance, vacationLeft, canSave, change, save, ...ask } = useAbsenceForm(
    edited,
    timeline,
    onDone,
  )
  const isNew = edited.record === undefined
  // Other kinds can only give days back.
  const isOverdrawing = vacationLeft !== undefined && vacationLeft < 0 && form.kind === 'vacation'
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
            {absenceKinds.map((kind) => (
              <Chip
                key={kind}
                type="radio"
                name="absence-kind"
                checked={form.kind === kind}
                data-autofocus={form.kind === kind || undefined}
                onChange={() => change({ kind })}
              >
                {t(`entries.kind.${kind}`)}
              </Chip>
            ))}
          </Group>
          {!balance && (
            <Text size="sm" c="dimmed" aria-live="polite">
              {t(`calendar.effect.${form.kind}`)}
            </Text>
          )}
        </Stack>
        <Group grow preventGrowOverflow={false}>
          <DateInput
            miw="10.5rem"
            label={isNew ? t('calendar.absence.from') : t('calendar.absence.date')}
            required
            value={form.from}
            onChange={(date) => change(withFirstDay(form, date))}
          />
          {isNew && (
            <DateInput
              miw="10.5rem"
              label={t('calendar.absence.to')}
              required
              error={problem && problem !== 'share' && t(`calendar.absence.problem.${problem}`)}
              min={form.from}
              value={form.to}
              onChange={(date) => change(withLastDay(form, date))}
            />
          )}
        </Group>
        <SizeChoice value={form.size} onChange={(size) => change({ size })} />
        {isNew && !ask.isAsked && form.from !== form.to && (
          <Switch
            label={t('calendar.absence.skip')}
            checked={form.isSkippingFree}
            onChange={(event) => change({ isSkippingFree: event.currentTarget.checked })}
          />
        )}
        <TextInput
          label={t(ask.isAsked ? 'team.ask.message' : 'calendar.absence.note')}
          maxLength={entryLimits.noteLength}
          value={form.note}
          onChange={({ currentTarget: { value } }) => change({ note: value })}
        />
        {!problem && !ask.asking && (
          <div aria-live="polite">
            {isNew && plan && <PlanSummary plan={plan} />}
            {workedMs > 0 && <WorkOnAbsence kinds={[form.kind]} worked={format.duration(workedMs)} />}
            {balance && <BalanceLine balance={balance} />}
            {vacationLeft !== undefined && (
              <Text size="sm" c={isOverdrawing ? 'var(--saldo-error-text)' : 'var(--saldo-ink)'}>
                {isOverdrawing
                  ? t('calendar.vacation.overdrawn', { count: -vacationLeft, days: format.number(-vacationLeft) })
                  : t('calendar.vacation.leftAfter', {
                      count: Math.abs(vacationLeft),
                      days: format.number(vacationLeft),
                    })}
              </Text>
            )}
          </div>
        )}
        {ask.asking && (
          <AskFields
            asking={ask.asking}
            onChange={ask.setAsking}
            content={problem ? undefined : ask.request()}
            today={ask.today}
          />
        )}
        {ask.isAsked && !isNew && (
          <Text size="sm" c="dimmed">
            {t('team.ask.change')}
          </Text>
        )}
        <FormFooter
          {...(ask.isAsked ? { action: t('team.ask.ask') } : isNew && { action: t('calendar.absence.enter') })}
          disabled={!canSave}
          onCancel={() => onDone()}
        />
      </Stack>
    </form>
  )
}

function PlanSummary({ plan: { days, free, full, replaced } }: { plan: AbsencePlan }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <PlannedDays days={days} />
      {free.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('calendar.plan.free', { count: free.length })}
        </Text>
      )}
      {replaced.length > 0 && (
        <Text size="sm">
          {t('calendar.plan.replaced', { dates: format.list(replaced.map((date) => format.date(date, 'short'))) })}
        </Text>
      )}
      {full.length > 0 && (
        <Text size="sm" c="dimmed">
          {t('calendar.plan.full', { dates: format.list(full.map((date) => format.date(date, 'short'))) })}
        </Text>
      )}
    </>
  )
}

/** Tells the balance before and after, if every other day is worked as planned. */
function BalanceLine({ balance: { nowMs, thenMs } }: { balance: { nowMs: number; thenMs: number } }) {
  const { t } = useTranslation()
  const format = useFormat()
  const values = { now: format.delta(nowMs), after: format.delta(thenMs) }
  return (
    <Text size="sm">
      {t(nowMs === thenMs ? 'calendar.absence.balanceStays' : 'calendar.absence.balanceChanges', values)}
    </Text>
  )
}

function PlannedDays({ days }: Pick<AbsencePlan, 'days'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return <Text fw={600}>{t('calendar.plan.none')}</Text>
  const [from, to] = [format.date(first.date, 'short'), format.date(last.date, 'short')]
  const { shares: sum, amountMs } = plannedTotals(days)
  return (
    <Text fw={600}>
      {first === last
        ? t('calendar.plan.one', { date: format.date(first.date, 'day') })
        : t('calendar.plan.several', { count: days.length, from, to })}
      {amountMs > 0 && ` ${t('calendar.plan.amount', { count: days.length, time: format.duration(amountMs) })}`}
      {amountMs === 0 && sum !== days.length && ` ${t('calendar.plan.sum', { count: sum, sum: format.number(sum) })}`}
    </Text>
  )
}
