import {
  buildTimeline,
  contentOf,
  LAST_DATE,
  type LocalDate,
  parseContent,
  type Settings,
  type SettingsContent,
  settingsOn,
  type ZoneName,
} from '@saldo/core'
import { likelyHolidays } from '../../domain/holidays/place.ts'
import { breakPresets, likelyBreakPreset, turnedRotation, usualWeek } from '../../domain/work-hours/work-hours-model.ts'

/** Returns the start of a new row: a copy of the settings in force from today on, else the usual ones of the place. */
export function newSettings(
  rows: readonly Settings[],
  { today, zone, locale }: { today: LocalDate; zone: ZoneName; locale: string },
): SettingsContent {
  const timeline = buildTimeline(rows)
  const current = settingsOn(timeline, today) ?? timeline[0]
  if (current) {
    return { ...contentOf(current), effective_from: today, target_ms: turnedRotation(current, today), note: '' }
  }
  return {
    effective_from: today,
    time_zone: zone,
    target_ms: [...usualWeek],
    break_policy: breakPresets[likelyBreakPreset(locale, zone)],
    auto_close: null,
    week_starts_on: 1,
    hints: null,
    core_time: null,
    frame: null,
    holidays: likelyHolidays(locale, zone),
    vacation: null,
    limits: null,
    note: '',
  }
}

/** Returns the changes of a form that is to apply from another date. */
export function withDate(form: SettingsContent, effective_from: LocalDate): Partial<SettingsContent> {
  return { effective_from, target_ms: turnedRotation(form, effective_from) }
}

/** A valid form: a new row, or new content for a row. */
export interface SettingsChange {
  content: SettingsContent
  /** The edited row, or the row of the same date that a new one replaces. */
  replaced: Settings | undefined
}

export type SettingsProblem = 'invalid' | 'dateTaken'

/** Checks a form against the other rows. */
export function settingsChangeOf(
  form: SettingsContent,
  edited: Settings | undefined,
  rows: readonly Settings[],
): { ok: true; change: SettingsChange } | { ok: false; problem: SettingsProblem } {
  const parsed = parseContent('settings_history', form)
  if (!parsed.ok) return { ok: false, problem: 'invalid' }
  const content = parsed.value
  const sameDate = buildTimeline(rows).find(({ effective_from }) => effective_from === content.effective_from)
  const isMoved = edited !== undefined && content.effective_from !== edited.effective_from
  if (sameDate && isMoved) return { ok: false, problem: 'dateTaken' }
  return { ok: true, change: { content, replaced: edited ?? sameDate } }
}

/** The fields of a row that the service has not stored yet. */
const UNSTORED = {
  id: '00000000-0000-0000-0000-000000000000',
  version: 0,
  created_at: '0001-01-01T00:00:00.000Z',
  updated_at: '0001-01-01T00:00:00.000Z',
} as const

/** Returns the row that a change leads to, for a preview. */
export function settingsRowOf({ content, replaced }: SettingsChange): Settings {
  return { ...(replaced ?? UNSTORED), ...content }
}

/** Returns a row that previews its deletion: from the last possible date on, it is never in force. */
export function withoutRow(record: Settings): Settings {
  return { ...record, effective_from: LAST_DATE }
}
