import { Select, Text, TextInput } from '@mantine/core'
import { absenceKinds, type PayrollUnit } from '@saldo/core'
import { useTranslation } from '../../../i18n/translation.ts'
import classes from './Mapping.module.css'
import { choicesOf, lacksWageType, type RuleDraft, unitsOf } from './mapping-model.ts'

interface Props {
  rule: RuleDraft
  /** True once the form was submitted: an empty wage type is wrong only then. */
  isChecked: boolean
  onChange: (changed: Partial<RuleDraft>) => void
}

/** The rule for a sum: undecided, left out, or a wage type in a unit. */
export function RuleLine({ rule, isChecked, onChange }: Props) {
  const { t } = useTranslation()
  const { sum, choice, wageType, unit } = rule
  const name = t(absenceKinds.some((kind) => kind === sum) ? `entries.kind.${sum}` : `team.payroll.sum.${sum}`)
  const isWrong = lacksWageType(rule) && (isChecked || wageType !== '')
  // A unit that another program has chosen stays until somebody changes it.
  const units = [...new Set<PayrollUnit>([...unitsOf(sum), unit])]
  return (
    <div className={classes.rule}>
      <Text className={classes.sum ?? ''}>{name}</Text>
      <Select
        className={classes.choice ?? ''}
        aria-label={name}
        data={choicesOf(sum).map((value) => ({ value, label: t(`team.payroll.choice.${value}`) }))}
        value={choice}
        allowDeselect={false}
        onChange={(value) => value !== null && onChange({ choice: value })}
      />
      {choice === 'send' && (
        <>
          <TextInput
            aria-label={`${t('team.payroll.column.wage_type')}: ${name}`}
            placeholder={t('team.payroll.column.wage_type')}
            maxLength={40}
            value={wageType}
            error={isWrong && t('team.payroll.code')}
            onChange={(event) => onChange({ wageType: event.currentTarget.value })}
          />
          <Select
            aria-label={`${t('team.payroll.column.unit')}: ${name}`}
            data={units.map((value) => ({ value, label: t(`team.payroll.unit.${value}`) }))}
            value={unit}
            allowDeselect={false}
            onChange={(value) => value !== null && onChange({ unit: value })}
          />
        </>
      )}
    </div>
  )
}
