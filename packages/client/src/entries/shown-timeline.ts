import {
  buildTimeline,
  FIRST_DATE,
  type LocalDate,
  type Settings,
  settingsOn,
  type Timeline,
  type ZoneName,
} from '@saldo/core'

/** The settings over time by which the app shows days. */
export interface ShownTimeline {
  /** Has a row for every date: before the account begins, one without targets, so that worked time shows too. */
  timeline: Timeline<Settings>
  /** True if the account counts a date: it is not before the user's first settings row. */
  counts(date: LocalDate): boolean
}

/** Returns the settings over time by which days are shown; without settings, those of the zone of this computer. */
export function shownTimeline(rows: readonly Settings[], browserZone: ZoneName): ShownTimeline {
  const real = buildTimeline(rows)
  const before: Settings = {
    id: '00000000-0000-0000-0000-000000000000',
    version: 0,
    created_at: '0001-01-01T00:00:00.000Z',
    updated_at: '0001-01-01T00:00:00.000Z',
    effective_from: FIRST_DATE,
    time_zone: real[0]?.time_zone ?? browserZone,
    target_ms: [0, 0, 0, 0, 0, 0, 0],
    break_policy: null,
    auto_close: null,
    week_starts_on: real[0]?.week_starts_on ?? 1,
    hints: null,
    core_time: null,
    frame: null,
    holidays: null,
    vacation: null,
    limits: null,
    note: '',
  }
  return { timeline: buildTimeline([before, ...rows]), counts: (date) => settingsOn(real, date) !== undefined }
}
