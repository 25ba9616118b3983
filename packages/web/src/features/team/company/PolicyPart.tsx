import { Button, Checkbox, Group, SegmentedControl, Switch, Text, Title } from '@mantine/core'
import {
  type AbsenceRule,
  absenceRules,
  addDays,
  type CompanyPolicy,
  chosenAbsenceKinds,
  managedParts,
  type PolicyVersion,
} from '@saldo/core'
import { type ReactNode, useCallback, useId } from 'react'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { useToday } from '../../../domain/account/TimelineProvider.tsx'
import { useTeam } from '../../../domain/team/TeamProvider.tsx'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import { DecimalInput } from '../../../ui/NumberInputs.tsx'
import { useForm, useIsChanged } from '../../../ui/useForm.ts'
import { useResource } from '../../../ui/useResource.ts'
import classes from './CompanyView.module.css'
import { useIsHr } from './useCompany.ts'

/** The choices of the company in words; a change applies from the next day on (D25.9). */
export function PolicyPart() {
  const calls = useTeamCalls()
  const { answer, failure, again } = useResource(useCallback(() => calls.policies(), [calls]))
  const last = answer?.at(-1)
  return (
    <div className={classes.part}>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && last && <PolicyForm key={last.number} last={last} versions={answer} onSaved={again} />}
    </div>
  )
}

type KindList = 'second_stage' | 'cancel_ahead' | 'lead_kinds'

interface FormProps {
  last: PolicyVersion
  versions: readonly PolicyVersion[]
  onSaved: () => Promise<void>
}

function PolicyForm({ last, versions, onSaved }: FormProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const calls = useTeamCalls()
  const { again } = useTeam()
  const today = useToday()
  const isReadOnly = !useIsHr()
  const [policy, change] = useForm<CompanyPolicy>(last.policy)
  const isChanged = useIsChanged(policy)
  const { isBusy, failure, attempt } = useAttempt()
  const save = async () => {
    if (!(await attempt(calls.putPolicy(policy)))) return
    await onSaved()
    await again()
  }
  const kinds = (field: KindList, among: readonly (typeof chosenAbsenceKinds)[number][]) => (
    <Checkbox.Group
      label={t(`team.policy.${field}`)}
      description={t(`team.policy.${field}Help`)}
      value={policy[field]}
      readOnly={isReadOnly}
      onChange={(chosen) => change({ [field]: chosenAbsenceKinds.filter((kind) => chosen.includes(kind)) })}
    >
      <Group mt="xs" gap="md">
        {among.map((kind) => (
          <Checkbox key={kind} value={kind} label={t(`entries.kind.${kind}`)} disabled={isReadOnly} />
        ))}
      </Group>
    </Checkbox.Group>
  )
  const asked = chosenAbsenceKinds.filter((kind) => policy.absences[kind] === 'ask')
  const isPending = last.from > today
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Text>
        {isPending
          ? t('team.policy.appliesFrom', { from: format.date(last.from, 'full') })
          : t('team.policy.inForce', { from: format.date(last.from, 'full') })}
      </Text>
      <Section title={t('team.policy.absences')}>
        {chosenAbsenceKinds.map((kind) => (
          <Rule
            key={kind}
            label={t(`entries.kind.${kind}`)}
            value={policy.absences[kind]}
            isReadOnly={isReadOnly}
            rules={kind === 'sick' ? ['free', 'tell'] : absenceRules}
            onChange={(rule) => change({ absences: { ...policy.absences, [kind]: rule } })}
          />
        ))}
        {asked.length > 0 && kinds('cancel_ahead', asked)}
        {asked.length > 0 && kinds('second_stage', asked)}
      </Section>
      <Section title={t('team.policy.leads')}>
        {kinds('lead_kinds', chosenAbsenceKinds)}
        <Choice
          label={t('team.policy.balance')}
          values={['none', 'light', 'figure']}
          name="balances"
          value={policy.lead_balance}
          isReadOnly={isReadOnly}
          onChange={(value) => change({ lead_balance: value as CompanyPolicy['lead_balance'] })}
        />
        <Choice
          label={t('team.policy.days')}
          values={['none', 'figures', 'times']}
          name="dayChoices"
          value={policy.lead_days}
          isReadOnly={isReadOnly}
          onChange={(value) => change({ lead_days: value as CompanyPolicy['lead_days'] })}
        />
        <Text size="sm" c="dimmed">
          {t('team.policy.notes')}
        </Text>
      </Section>
      <Section title={t('team.policy.months')}>
        <Switch
          label={t('team.policy.lockUnsubmitted')}
          description={t('team.policy.lockUnsubmittedHelp')}
          checked={policy.lock_unsubmitted}
          disabled={isReadOnly}
          onChange={(event) => change({ lock_unsubmitted: event.currentTarget.checked })}
        />
        <div>
          <Choice
            label={t('team.policy.hrChanges')}
            values={['propose', 'apply']}
            name="changeChoices"
            value={policy.hr_changes}
            isReadOnly={isReadOnly}
            onChange={(value) => change({ hr_changes: value as CompanyPolicy['hr_changes'] })}
          />
          <Text size="sm" c="dimmed">
            {t('team.policy.hrChangesHelp')}
          </Text>
        </div>
        <Checkbox.Group
          label={t('team.policy.managed')}
          description={t('team.policy.managedHelp')}
          value={policy.managed}
          readOnly={isReadOnly}
          onChange={(chosen) => change({ managed: managedParts.filter((part) => chosen.includes(part)) })}
        >
          <Group mt="xs" gap="md">
            {managedParts.map((part) => (
              <Checkbox key={part} value={part} label={t(`team.managed.${part}`)} disabled={isReadOnly} />
            ))}
          </Group>
        </Checkbox.Group>
        <DecimalInput
          label={t('team.policy.kept')}
          description={t('team.policy.keptHelp')}
          className={classes.field ?? ''}
          value={policy.months_kept}
          min={24}
          max={120}
          decimals={0}
          readOnly={isReadOnly}
          onChangeNumber={(months_kept) => change({ months_kept })}
        />
      </Section>
      <Section title={t('team.policy.hr')}>
        <Switch
          label={t('team.policy.soleHr')}
          description={t('team.policy.soleHrHelp')}
          checked={policy.sole_hr_decides}
          disabled={isReadOnly}
          onChange={(event) => change({ sole_hr_decides: event.currentTarget.checked })}
        />
      </Section>
      {failure && <ProblemText>{failure}</ProblemText>}
      {isReadOnly ? (
        <Text c="dimmed">{t('team.policy.onlyHr')}</Text>
      ) : (
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isChanged}>
            {t('ui.save')}
          </Button>
          <Text size="sm" c="dimmed">
            {t('team.policy.tomorrow', { from: format.date(addDays(today, 1), 'full') })}
          </Text>
        </Group>
      )}
      {versions.length > 1 && (
        <Text size="sm" c="dimmed">
          {t('team.policy.versions', {
            dates: format.list(versions.map(({ from }) => format.date(from, 'medium'))),
          })}
        </Text>
      )}
    </form>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className={classes.part} aria-labelledby={id}>
      <Title order={2} id={id}>
        {title}
      </Title>
      {children}
    </section>
  )
}

interface RuleProps {
  label: string
  value: AbsenceRule
  rules: readonly AbsenceRule[]
  isReadOnly: boolean
  onChange: (rule: AbsenceRule) => void
}

function Rule({ label, value, rules, isReadOnly, onChange }: RuleProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className={classes.rule}>
      <Text id={id}>{label}</Text>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        readOnly={isReadOnly}
        data={rules.map((rule) => ({ value: rule, label: t(`team.policy.rules.${rule}`) }))}
        onChange={(rule) => onChange(rule)}
      />
    </div>
  )
}

interface ChoiceProps {
  label: string
  name: 'balances' | 'dayChoices' | 'changeChoices'
  values: readonly string[]
  value: string
  isReadOnly: boolean
  onChange: (value: string) => void
}

function Choice({ label, name, values, value, isReadOnly, onChange }: ChoiceProps) {
  const { t } = useTranslation()
  const id = useId()
  return (
    <div className={classes.rule}>
      <Text id={id}>{label}</Text>
      <SegmentedControl
        aria-labelledby={id}
        value={value}
        readOnly={isReadOnly}
        data={values.map((each) => ({ value: each, label: t(`team.policy.${name}.${each}`) }))}
        onChange={onChange}
      />
    </div>
  )
}
