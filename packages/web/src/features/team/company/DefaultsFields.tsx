import { Stack, Switch, Text } from '@mantine/core'
import { MAX_VACATION_DAYS, type MemberDefaults } from '@saldo/core'
import { type ReactNode, useId } from 'react'
import { HolidayPlaceField } from '../../../domain/holidays/HolidayPlaceField.tsx'
import { likelyHolidays } from '../../../domain/holidays/place.ts'
import { BreakRules } from '../../../domain/work-hours/BreakRules.tsx'
import { WeekHours } from '../../../domain/work-hours/WeekHours.tsx'
import {
  breakPresetOf,
  breakPresets,
  browserZone,
  likelyBreakPreset,
  usualAutoClose,
  usualWeek,
} from '../../../domain/work-hours/work-hours-model.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { DecimalInput } from '../../../ui/NumberInputs.tsx'

interface Props {
  value: MemberDefaults | null
  onChange: (defaults: MemberDefaults | null) => void
}

const USUAL_VACATION_DAYS = 30

/** The settings with which new members of a group start; what is off is asked in their first steps (D24.13). */
export function DefaultsFields({ value, onChange }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const defaults = value ?? {}
  const set = (changed: MemberDefaults) => onChange({ ...defaults, ...changed })
  const leaveOpen = (field: keyof MemberDefaults) => {
    const { [field]: _open, ...others } = defaults
    onChange(Object.keys(others).length === 0 ? null : others)
  }
  const toggle = (field: keyof MemberDefaults, first: () => MemberDefaults) => (isSet: boolean) =>
    isSet ? set(first()) : leaveOpen(field)
  const zone = browserZone()
  const { target_ms, holidays, vacation, break_policy, auto_close } = defaults
  return (
    <Stack gap="sm" component="section" aria-labelledby={id}>
      <div>
        <Text fw={600} id={id}>
          {t('team.defaults.title')}
        </Text>
        <Text size="sm" c="dimmed">
          {t('team.defaults.lead')}
        </Text>
      </div>
      <Default
        label={t('team.defaults.setHours')}
        isSet={target_ms !== undefined}
        onToggle={toggle('target_ms', () => ({ target_ms: [...usualWeek] }))}
      >
        {target_ms?.length === 7 && (
          <WeekHours
            label={t('team.defaults.setHours')}
            targetMs={target_ms}
            onChange={(changed) => set({ target_ms: changed })}
          />
        )}
      </Default>
      <Default
        label={t('team.defaults.setHolidays')}
        isSet={holidays !== undefined}
        onToggle={toggle('holidays', () => ({ holidays: likelyHolidays(navigator.language, zone) }))}
      >
        {holidays !== undefined && (
          <HolidayPlaceField value={holidays} onChange={(changed) => set({ holidays: changed })} />
        )}
      </Default>
      <Default
        label={t('team.defaults.setVacation')}
        isSet={vacation !== undefined}
        onToggle={toggle('vacation', () => ({
          vacation: {
            days_per_year: USUAL_VACATION_DAYS,
            carry_over_until: holidays?.country === 'DE' ? '03-31' : null,
          },
        }))}
      >
        {vacation && (
          <DecimalInput
            aria-label={t('team.defaults.setVacation')}
            min={0}
            max={MAX_VACATION_DAYS}
            value={vacation.days_per_year}
            onChangeNumber={(days_per_year) => set({ vacation: { ...vacation, days_per_year } })}
          />
        )}
      </Default>
      <Default
        label={t('team.defaults.setBreaks')}
        isSet={break_policy !== undefined}
        onToggle={toggle('break_policy', () => ({
          break_policy: breakPresets[likelyBreakPreset(navigator.language, zone)],
        }))}
      >
        {break_policy !== undefined && (
          <BreakRules
            value={breakPresetOf(break_policy)}
            onChange={(preset) => set({ break_policy: breakPresets[preset] })}
          />
        )}
      </Default>
      <Default
        label={t('team.defaults.setClosing')}
        isSet={auto_close !== undefined}
        onToggle={toggle('auto_close', () => ({ auto_close: usualAutoClose }))}
      />
    </Stack>
  )
}

interface DefaultProps {
  label: string
  isSet: boolean
  onToggle: (isSet: boolean) => void
  children?: ReactNode
}

function Default({ label, isSet, onToggle, children }: DefaultProps) {
  return (
    <Stack gap="xs">
      <Switch label={label} checked={isSet} onChange={(event) => onToggle(event.currentTarget.checked)} />
      {isSet && children}
    </Stack>
  )
}
