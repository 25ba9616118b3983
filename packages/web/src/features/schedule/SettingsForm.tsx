import { Stack, Text, TextInput, Title } from '@mantine/core'
import { FIRST_EFFECTIVE_DATE } from '@saldo/core'
import { useFormat } from '../../context/FormatProvider.tsx'
import { AlteredWeeks, BalanceChange } from '../../domain/account/balance-change/AlteredWeeks.tsx'
import { RotationHours } from '../../domain/work-hours/RotationHours.tsx'
import { ZoneSelect } from '../../domain/work-hours/ZoneSelect.tsx'
import { useTranslation } from '../../i18n/translation.ts'
import { DateInput } from '../../ui/DateInput.tsx'
import { FormFooter } from '../../ui/FormFooter.tsx'
import { Notice } from '../../ui/Notice.tsx'
import type { OnDone } from '../../ui/useEditor.ts'
import { AutoCloseField } from './AutoCloseField.tsx'
import { BreakPolicyField } from './BreakPolicyField.tsx'
import { HintsField } from './HintsField.tsx'
import { HolidaysField } from './HolidaysField.tsx'
import { LimitsField } from './LimitsField.tsx'
import classes from './SettingsForm.module.css'
import type { ZoneChange } from './schedule-model.ts'
import { withDate } from './settings-change.ts'
import type { Schedule } from './useSchedule.ts'
import { type EditedSettings, useSettingsForm } from './useSettingsForm.ts'
import { VacationChange, VacationField } from './VacationField.tsx'

interface Props {
  schedule: Schedule
  edited: EditedSettings
  onDone: OnDone<EditedSettings>
}

/** Edits a settings row, and shows which closed weeks it alters. */
export function SettingsForm({ schedule, edited, onDone }: Props) {
  const { t } = useTranslation()
  const { form, problem, preview, zoneChange, isReplacing, change, save } = useSettingsForm(schedule, edited, onDone)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Stack gap="xl">
        <DateInput
          label={t('schedule.form.from')}
          description={isReplacing ? t('schedule.form.replaces') : t('schedule.form.fromHelp')}
          className={classes.short}
          error={problem && t(`schedule.form.problem.${problem}`)}
          min={FIRST_EFFECTIVE_DATE}
          required
          data-autofocus
          value={form.effective_from}
          onChange={(date) => change(withDate(form, date))}
        />
        <section className={classes.fields} aria-labelledby="schedule-hours">
          <Title order={3} id="schedule-hours">
            {t('schedule.hours')}
          </Title>
          <RotationHours
            label={t('schedule.hours')}
            targetMs={form.target_ms}
            from={form.effective_from}
            onChange={(target_ms) => change({ target_ms })}
          />
        </section>
        <HolidaysField value={form.holidays} onChange={(holidays) => change({ holidays })} />
        <BreakPolicyField value={form.break_policy} onChange={(break_policy) => change({ break_policy })} />
        <HintsField value={form} onChange={change} />
        <VacationField value={form.vacation} onChange={(vacation) => change({ vacation })} />
        <LimitsField value={form.limits} onChange={(limits) => change({ limits })} />
        <AutoCloseField value={form.auto_close} onChange={(auto_close) => change({ auto_close })} />
        <div className={classes.fields}>
          <ZoneSelect value={form.time_zone} onChange={(time_zone) => change({ time_zone })} />
          <div aria-live="polite">{zoneChange && <ZoneChangeNotice zoneChange={zoneChange} />}</div>
        </div>
        <TextInput
          label={t('schedule.note')}
          maxLength={5_000}
          value={form.note}
          onChange={({ currentTarget: { value } }) => change({ note: value })}
        />
        <AlteredWeeks preview={preview} />
        <div className={classes.foot}>
          <div aria-live="polite">
            {!problem && <BalanceChange preview={preview} />}
            <VacationChange preview={preview} />
          </div>
          <FormFooter disabled={problem !== undefined} onCancel={() => onDone()} />
        </div>
      </Stack>
    </form>
  )
}

function ZoneChangeNotice({ zoneChange }: { zoneChange: ZoneChange }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { from, zone, zoneBefore, hasBorder, isPast, unusualDays } = zoneChange
  const sentences = [
    t('schedule.zone.from', { date: format.date(from, 'medium'), zone }),
    hasBorder && t('schedule.zone.before', { zone: zoneBefore }),
    isPast && t('schedule.zone.past'),
    ...unusualDays.map(({ date, lengthMs }) =>
      t('schedule.zone.unusualDay', { date: format.date(date, 'medium'), length: format.duration(lengthMs) }),
    ),
  ]
  return (
    <Notice>
      <Text size="sm">{sentences.filter(Boolean).join(' ')}</Text>
    </Notice>
  )
}
