import { ActionIcon, Button, Text } from '@mantine/core'
import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import { useState } from 'react'
import { BreakRules } from '../../domain/work-hours/BreakRules.tsx'
import { breakPresetOf, breakPresets } from '../../domain/work-hours/work-hours-model.ts'
import { useTranslation } from '../../i18n/translation.ts'
import { IconPlus, IconTrash } from '../../ui/icons.ts'
import { DurationInput } from '../../ui/NumberInputs.tsx'
import classes from './BreakPolicyField.module.css'
import { type Policy, type Rule, withoutRule, withRule, withRules } from './schedule-model.ts'

const NEW_RULE: Rule = { worked_above_ms: 6 * HOUR_MS, required_ms: 30 * MINUTE_MS }
const MAX_RULES = 20

interface Props {
  value: Policy
  onChange: (policy: Policy) => void
}

/** Edits the break policy: a preset of a country, or own rules. */
export function BreakPolicyField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const preset = breakPresetOf(value)
  const [isOpen] = useState(preset === undefined)
  const rules = value?.rules ?? []
  const changeRule = (index: number, changed: Partial<Rule>) => onChange(withRule(value, index, changed))
  return (
    <div className={classes.field}>
      <BreakRules value={preset} onChange={(chosen) => onChange(breakPresets[chosen])} />
      <details open={isOpen}>
        <summary className={classes.summary}>{t('schedule.breaks.own')}</summary>
        <div className={classes.own}>
          <Text size="sm" c="dimmed">
            {t('schedule.breaks.ownHelp')}
          </Text>
          {rules.map((rule, index) => {
            const number = index + 1
            return (
              <fieldset key={number} className={classes.rule}>
                <legend className="visually-hidden">{t('schedule.breaks.rule', { number })}</legend>
                <DurationInput
                  label={t('schedule.breaks.above')}
                  valueMs={rule.worked_above_ms}
                  onChangeMs={(worked_above_ms) => changeRule(index, { worked_above_ms })}
                />
                <DurationInput
                  label={t('schedule.breaks.required')}
                  valueMs={rule.required_ms}
                  onChangeMs={(required_ms) => changeRule(index, { required_ms })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={t('schedule.breaks.remove', { number })}
                  onClick={() => onChange(withoutRule(value, index))}
                >
                  <IconTrash size={18} stroke={1.75} aria-hidden />
                </ActionIcon>
              </fieldset>
            )
          })}
          {value && rules.length > 0 && (
            <DurationInput
              className={classes.piece}
              label={t('schedule.breaks.piece')}
              valueMs={value.min_piece_ms}
              onChangeMs={(min_piece_ms) => onChange({ ...value, min_piece_ms })}
            />
          )}
          {rules.length < MAX_RULES && (
            <Button
              variant="subtle"
              size="compact-md"
              className={classes.add}
              leftSection={<IconPlus size={18} aria-hidden />}
              onClick={() => onChange(withRules(value, [...rules, NEW_RULE]))}
            >
              {t('schedule.breaks.add')}
            </Button>
          )}
        </div>
      </details>
    </div>
  )
}
