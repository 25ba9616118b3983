import {
  contentOf,
  LAST_DATE,
  type LocalDate,
  parseContent,
  type Settings,
  type SettingsContent,
  settingsOn,
  timelineOf,
  type ZoneName,
} from '@saldo/core'
import { breakPresets, likelyBreakPreset, weekPresets } from '../../domain/work-hours/presets.ts'

interface Place {
  today: LocalDate
  zone: ZoneName
  locale: string
}

/** What a change begins with: from today on as it is in force now, or as is usual where nothing is. */
export function newDraft(rows: readonly Settings[], { today, zone, locale }: Place): SettingsContent {
  const timeline = timelineOf(rows)
  const current = settingsOn(timeline, today) ?? timeline[0]
  if (current) return { ...contentOf(current), effective_from: today, note: '' }
  return {
    effective_from: today,
    time_zone: zone,
    target_ms: [...weekPresets.h40],
    break_policy: breakPresets[likelyBreakPreset(locale, zone)],
    auto_close: null,
    week_starts_on: 1,
    note: '',
  }
}

/** A change that can be saved: a new row, or other content for one that is there. */
export interface Change {
  content: SettingsContent
  /** The row that gets the content: the edited one, or the one that a new change of its date replaces. */
  replaced: Settings | undefined
}

export type ChangeProblem = 'invalid' | 'dateTaken'

/** The change that a draft makes, or why it makes none. */
export function changeOf(
  draft: SettingsContent,
  edited: Settings | undefined,
  rows: readonly Settings[],
): { ok: true; change: Change } | { ok: false; problem: ChangeProblem } {
  const parsed = parseContent('settings_history', draft)
  if (!parsed.ok) return { ok: false, problem: 'invalid' }
  const content = parsed.value
  const sameDate = timelineOf(rows).find(({ effective_from }) => effective_from === content.effective_from)
  const isKept = edited !== undefined && content.effective_from === edited.effective_from
  if (edited && sameDate && !isKept) return { ok: false, problem: 'dateTaken' }
  return { ok: true, change: { content, replaced: edited ?? sameDate } }
}

const NEW_ID = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
const LATEST = '9999-12-31T23:59:59.999Z'

/** The row that a change leads to, as a preview wants it. */
export function rowOf({ content, replaced }: Change): Settings {
  const kept = replaced ?? { id: NEW_ID, version: 0, created_at: LATEST, updated_at: LATEST }
  const { id, version, created_at, updated_at } = kept
  return { ...content, id, version, created_at, updated_at }
}

/** A row as if it were deleted: on the last date there is it governs nothing. */
export function withoutRow(record: Settings): Settings {
  return { ...record, effective_from: LAST_DATE }
}
