import type { AdjustmentContent, LocalDate, SettingsContent, ZoneName } from '@saldo/core'
import { type BreakPreset, breakPresets } from '../../domain/work-hours/presets.ts'

/** What a new user is asked. */
export interface Answers {
  /** Seven targets, Monday first, in milliseconds. */
  targetMs: readonly number[]
  since: LocalDate
  openingMs: number
  zone: ZoneName
  breaks: BreakPreset
}

/** The records that an account begins with. An opening balance of nothing is no record. */
export function recordsOf(
  { targetMs, since, openingMs, zone, breaks }: Answers,
  openingReason: string,
): { settings: SettingsContent; opening: AdjustmentContent | undefined } {
  return {
    settings: {
      effective_from: since,
      time_zone: zone,
      target_ms: [...targetMs],
      break_policy: breakPresets[breaks],
      auto_close: null,
      week_starts_on: 1,
      note: '',
    },
    opening:
      openingMs === 0
        ? undefined
        : { effective_date: since, delta_ms: openingMs, kind: 'opening', reason: openingReason },
  }
}
