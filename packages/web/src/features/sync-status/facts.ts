import type { AdjustmentContent, EntryContent, SettingsContent } from '@saldo/core'
import { epochMs, isTimed, type WritableKind } from '@saldo/core'
import type { Format } from '../../context/format.ts'
import { wallAt } from '../../domain/wall-time.ts'
import { breakPresetOf } from '../../domain/work-hours/presets.ts'

/** One thing that a record says, in words. `field` is the key of its name. */
export interface Fact {
  field: string
  text: string
}

export interface Words {
  t(key: string): string
  format: Format
  /** Where times are shown that do not tell their own zone. */
  zone: string
}

/** What a record says, for a person; what is empty is left out. `null` is a deleted one, which says nothing. */
export function factsOf(kind: WritableKind, content: object | null, words: Words): Fact[] {
  if (content === null) return []
  const facts = {
    entries: () => factsOfEntry(content as unknown as EntryContent, words),
    settings_history: () => factsOfSettings(content as unknown as SettingsContent, words),
    balance_adjustments: () => factsOfAdjustment(content as unknown as AdjustmentContent, words),
  }[kind]()
  return facts.filter(({ text }) => text !== '')
}

function factsOfEntry(entry: EntryContent, { t, format, zone }: Words): Fact[] {
  const there = entry.time_zone ?? zone
  const at = (instant: string, before?: string) => {
    const time = format.time(epochMs(instant), there)
    const { date } = wallAt(epochMs(instant), there)
    const isSameDate = before !== undefined && wallAt(epochMs(before), there).date === date
    return isSameDate ? time : `${format.date(date, 'medium')}, ${time}`
  }
  const when = isTimed(entry)
    ? [
        { field: 'sync.fact.start', text: at(entry.started_at) },
        {
          field: 'sync.fact.end',
          text: entry.ended_at === null ? t('sync.fact.running') : at(entry.ended_at, entry.started_at),
        },
      ]
    : [
        { field: 'sync.fact.date', text: format.date(entry.date, 'medium') },
        { field: 'sync.fact.share', text: format.percent(entry.day_share) },
      ]
  return [
    { field: 'sync.fact.kind', text: t(`entries.kind.${entry.kind}`) },
    ...when,
    { field: 'sync.fact.project', text: entry.project ?? '' },
    { field: 'sync.fact.tags', text: entry.tags.map((tag) => `#${tag}`).join(' ') },
    { field: 'sync.fact.note', text: entry.note },
  ]
}

function factsOfSettings(settings: SettingsContent, { t, format }: Words): Fact[] {
  const preset = breakPresetOf(settings.break_policy)
  return [
    { field: 'sync.fact.from', text: format.date(settings.effective_from, 'medium') },
    { field: 'sync.fact.hours', text: settings.target_ms.map(format.duration).join(' · ') },
    { field: 'sync.fact.zone', text: settings.time_zone },
    {
      field: 'sync.fact.breaks',
      text: preset ? t(`workHours.breaks.${preset}.name`) : t('sync.fact.ownBreaks'),
    },
    { field: 'sync.fact.autoClose', text: t(settings.auto_close ? 'sync.fact.on' : 'sync.fact.off') },
    { field: 'sync.fact.note', text: settings.note },
  ]
}

function factsOfAdjustment(adjustment: AdjustmentContent, { t, format }: Words): Fact[] {
  return [
    { field: 'sync.fact.kind', text: t(`sync.adjustment.${adjustment.kind}`) },
    { field: 'sync.fact.date', text: format.date(adjustment.effective_date, 'medium') },
    { field: 'sync.fact.amount', text: format.delta(adjustment.delta_ms) },
    { field: 'sync.fact.reason', text: adjustment.reason },
  ]
}

/** One field of two states of a record beside each other; `undefined` where a side does not say it. */
export interface Compared {
  field: string
  mine: string | undefined
  theirs: string | undefined
}

/** Two states of a record beside each other: every field that either says, in the order of the fuller one. */
export function compare(mine: readonly Fact[], theirs: readonly Fact[]): Compared[] {
  const [fuller, other] = mine.length >= theirs.length ? [mine, theirs] : [theirs, mine]
  const fields = new Set([...fuller, ...other].map(({ field }) => field))
  const textIn = (facts: readonly Fact[], field: string) => facts.find((fact) => fact.field === field)?.text
  return [...fields].map((field) => ({ field, mine: textIn(mine, field), theirs: textIn(theirs, field) }))
}
