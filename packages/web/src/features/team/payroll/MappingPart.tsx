import { Button, Checkbox, Group, Select, Switch, Text } from '@mantine/core'
import type { PayrollMapping } from '@saldo/core'
import { useCallback, useState } from 'react'
import { useTeamCalls } from '../../../domain/team/useTeamAnswer.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { useAttempt } from '../../../ui/feedback/useAttempt.ts'
import { IconAction } from '../../../ui/IconAction.tsx'
import { IconArrowDown, IconArrowUp } from '../../../ui/icons.ts'
import { ProblemText } from '../../../ui/Notice.tsx'
import rows from '../../../ui/rows.module.css'
import { TitledSection } from '../../../ui/TitledSection.tsx'
import { useForm, useIsChanged } from '../../../ui/useForm.ts'
import { useResource } from '../../../ui/useResource.ts'
import classes from './Mapping.module.css'
import { formOfMapping, lacksWageType, type MappingForm, mappingOfForm, withMoved } from './mapping-model.ts'
import view from './PayrollView.module.css'
import { RuleLine } from './RuleLine.tsx'

const separators = [
  [';', 'semicolon'],
  [',', 'comma'],
  ['\t', 'tab'],
] as const
const decimalSigns = [
  [',', 'comma'],
  ['.', 'point'],
] as const

/** Sets how payroll files are made: columns, characters, and the wage type of each sum (D31.2, D31.3). */
export function MappingPart() {
  const calls = useTeamCalls()
  const { answer, failure } = useResource(useCallback(() => calls.payrollMapping(), [calls]))
  return (
    <>
      {failure && <Text role="alert">{failure}</Text>}
      {answer && <Mapping mapping={answer} />}
    </>
  )
}

function Mapping({ mapping }: { mapping: PayrollMapping }) {
  const { t } = useTranslation()
  const calls = useTeamCalls()
  const { isBusy, failure, attempt } = useAttempt()
  const [saved, setSaved] = useState<MappingForm>()
  const [form, change] = useForm<MappingForm>(() => formOfMapping(mapping), saved)
  const isChanged = useIsChanged(form, saved)
  const [isChecked, setChecked] = useState(false)
  const hasColumns = form.columns.some(({ isShown }) => isShown)
  const isWrong = !hasColumns || form.rules.some(lacksWageType)
  const save = async () => {
    setChecked(true)
    if (isWrong) return
    if (await attempt(calls.putPayrollMapping(mappingOfForm(form)))) setSaved(form)
  }
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <TitledSection
        title={t('team.payroll.mapping.rules')}
        lead={t('team.payroll.mapping.rulesLead')}
        className={view.section}
      >
        <div className={rows.list}>
          {form.rules.map((rule) => (
            <RuleLine
              key={rule.sum}
              rule={rule}
              isChecked={isChecked}
              onChange={(changed) =>
                change({
                  rules: form.rules.map((each) => (each.sum === rule.sum ? { ...each, ...changed } : each)),
                })
              }
            />
          ))}
        </div>
      </TitledSection>
      <Columns columns={form.columns} onChange={(columns) => change({ columns })} />
      <TitledSection title={t('team.payroll.mapping.form')} className={view.section}>
        <Group grow preventGrowOverflow={false} align="flex-start">
          <Select
            label={t('team.payroll.mapping.separator')}
            data={separators.map(([value, name]) => ({ value, label: t(`team.payroll.mapping.sign.${name}`) }))}
            value={form.separator}
            allowDeselect={false}
            onChange={(separator) => separator !== null && change({ separator })}
          />
          <Select
            label={t('team.payroll.mapping.decimalSign')}
            data={decimalSigns.map(([value, name]) => ({ value, label: t(`team.payroll.mapping.sign.${name}`) }))}
            value={form.decimal_sign}
            allowDeselect={false}
            onChange={(sign) => sign !== null && change({ decimal_sign: sign })}
          />
          <Select
            label={t('team.payroll.mapping.encoding')}
            data={[
              { value: 'utf-8', label: 'UTF-8' },
              { value: 'windows-1252', label: 'Windows-1252' },
            ]}
            value={form.encoding}
            allowDeselect={false}
            onChange={(encoding) => encoding !== null && change({ encoding })}
          />
        </Group>
        <Switch
          label={t('team.payroll.mapping.header')}
          checked={form.header}
          onChange={(event) => change({ header: event.currentTarget.checked })}
        />
      </TitledSection>
      {isChecked && isWrong && (
        <ProblemText>{t(`team.payroll.mapping.${hasColumns ? 'noWageType' : 'noColumn'}`)}</ProblemText>
      )}
      {failure && <ProblemText>{failure}</ProblemText>}
      <Group>
        <Button type="submit" loading={isBusy} disabled={!isChanged}>
          {t('ui.save')}
        </Button>
        <Text size="sm" c="dimmed" role="status">
          {t(`team.payroll.mapping.${saved && !isChanged ? 'saved' : 'effect'}`)}
        </Text>
      </Group>
    </form>
  )
}

interface ColumnsProps {
  columns: MappingForm['columns']
  onChange: (columns: MappingForm['columns']) => void
}

/** The columns of the file, in the order of the list. */
function Columns({ columns, onChange }: ColumnsProps) {
  const { t } = useTranslation()
  return (
    <TitledSection
      title={t('team.payroll.mapping.columns')}
      lead={t('team.payroll.mapping.columnsLead')}
      className={view.section}
    >
      <ol className={`${rows.list} ${classes.columns}`}>
        {columns.map(({ column, isShown }, index) => {
          const name = t(`team.payroll.column.${column}`)
          return (
            <li key={column} className={`${rows.row} ${classes.column}`}>
              <Checkbox
                label={name}
                checked={isShown}
                onChange={(event) =>
                  onChange(
                    columns.map((each) =>
                      each.column === column ? { column, isShown: event.currentTarget.checked } : each,
                    ),
                  )
                }
              />
              {index > 0 && (
                <IconAction
                  Icon={IconArrowUp}
                  label={t('team.payroll.mapping.up', { name })}
                  onClick={() => onChange(withMoved(columns, index, -1))}
                />
              )}
              {index < columns.length - 1 && (
                <IconAction
                  Icon={IconArrowDown}
                  label={t('team.payroll.mapping.down', { name })}
                  onClick={() => onChange(withMoved(columns, index, 1))}
                />
              )}
            </li>
          )
        })}
      </ol>
    </TitledSection>
  )
}
