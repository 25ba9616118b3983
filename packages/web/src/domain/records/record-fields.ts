import { wallAt } from '@saldo/client/entries'
import type { AdjustmentContent, DurationMs, EntryContent, Instant, SettingsContent } from '@saldo/core'
import {
  addDays,
  dateOfMonthDay,
  epochMs,
  isCounted,
  isGrant,
  isTimed,
  sizeOf,
  type TimedEntryContent,
  type WritableKind,
  type ZoneName,
} from '@saldo/core'
import type { Format } from '../../context/format.ts'
import { breakPresetOf, weeksWithHours } from '../work-hours/work-hours-model.ts'

/** A field of a record for display. `name` is the key of its translated name. */
export interface RecordField {
  name: string
  text: string
}

interface DisplayOptions {
  t(key: string, values?: Record<string, number>): string
  format: Format
  /** Shows times of records that have no zone of their own. */
  zone: ZoneName
}

/** Describes a record by its fields, without empty ones. A deleted record (`null`) has none. */
export function shownFieldsOf(kind: WritableKind, content: object | null, options: DisplayOptions): RecordField[] {
  if (content === null) return []
  const fields = {
    entries: () => fieldsOfEntry(content as unknown as EntryContent, options),
    settings_history: () => fieldsOfSettings(content as unknown as SettingsContent, options),
    balance_adjustments: () => fieldsOfAdjustment(content as unknown as AdjustmentContent, options),
  }[kind]()
  return fields.filter(({ text }) => text !== '')
}

/** Returns the fields without the note, which others do not read (D25.7). */
export function withoutNote(fields: readonly RecordField[]): RecordField[] {
  return fields.filter(({ name }) => name !== 'sync.field.note')
}

/** Describes how much of a day an entry takes, or how many vacation days it grants. */
function sizeField(entry: Exclude<EntryContent, TimedEntryContent>, format: Format): RecordField {
  if (isGrant(entry)) return { name: 'sync.field.days', text: format.signed(entry.days) }
  const { day_share, amount_ms } = sizeOf(entry)
  if (amount_ms === null) return { name: 'sync.field.share', text: format.percent(day_share) }
  return { name: 'sync.field.length', text: format.duration(amount_ms) }
}

function fieldsOfEntry(entry: EntryContent, { t, format, zone }: DisplayOptions): RecordField[] {
  const shownZone = entry.time_zone ?? zone
  const at = (instant: Instant, before?: Instant) => {
    const time = format.time(epochMs(instant), shownZone)
    const { date } = wallAt(epochMs(instant), shownZone)
    const isSameDate = before !== undefined && wallAt(epochMs(before), shownZone).date === date
    return isSameDate ? time : `${format.date(date, 'medium')}, ${time}`
  }
  const when = isTimed(entry)
    ? [
        { name: 'sync.field.start', text: at(entry.started_at) },
        {
          name: 'sync.field.end',
          text: entry.ended_at === null ? t('sync.field.running') : at(entry.ended_at, entry.started_at),
        },
      ]
    : [{ name: 'sync.field.date', text: format.date(entry.date, 'medium') }, sizeField(entry, format)]
  return [
    { name: 'sync.field.kind', text: t(`entries.kind.${entry.kind}`) },
    ...when,
    { name: 'sync.field.counts', text: isCounted(entry) ? '' : t('sync.field.no') },
    { name: 'sync.field.project', text: entry.project ?? '' },
    { name: 'sync.field.tags', text: entry.tags.map((tag) => `#${tag}`).join(' ') },
    { name: 'sync.field.note', text: entry.note },
  ]
}

/** The weekday of a setting is as many days after it. */
const A_SUNDAY = '2026-01-04'

function fieldsOfSettings(settings: SettingsContent, { t, format }: DisplayOptions): RecordField[] {
  const preset = breakPresetOf(settings.break_policy)
  return [
    { name: 'sync.field.from', text: format.date(settings.effective_from, 'medium') },
    { name: 'sync.field.hours', text: hoursText(settings.target_ms, { t, format }) },
    { name: 'sync.field.zone', text: settings.time_zone },
    {
      name: 'sync.field.breaks',
      text: preset ? t(`workHours.breaks.${preset}.name`) : t('sync.field.ownBreaks'),
    },
    { name: 'sync.field.autoClose', text: t(settings.auto_close ? 'sync.field.on' : 'sync.field.off') },
    { name: 'sync.field.weekStart', text: format.date(addDays(A_SUNDAY, settings.week_starts_on), 'weekday') },
    { name: 'sync.field.hints', text: settings.hints ? t(`workHours.breaks.${settings.hints}.name`) : '' },
    { name: 'sync.field.coreTime', text: spanText(settings.core_time) },
    { name: 'sync.field.frame', text: spanText(settings.frame) },
    { name: 'sync.field.vacation', text: vacationText(settings.vacation, format) },
    { name: 'sync.field.holidays', text: placeText(settings.holidays) },
    { name: 'sync.field.limits', text: limitsText(settings.limits, format) },
    { name: 'sync.field.note', text: settings.note },
  ]
}

/** The hours of each weekday; of a rotation, each week on a line of its own. */
function hoursText(targetMs: readonly DurationMs[], { t, format }: Pick<DisplayOptions, 't' | 'format'>): string {
  const weeks = weeksWithHours(targetMs).map((week) => week.map(format.duration).join(' · '))
  if (weeks.length === 1) return weeks.join()
  return weeks.map((hours, index) => `${t('workHours.rotation.week', { number: index + 1 })}: ${hours}`).join('\n')
}

function vacationText(vacation: SettingsContent['vacation'], format: Format): string {
  if (!vacation) return ''
  const { days_per_year, carry_over_until: until } = vacation
  const days = format.number(days_per_year)
  return until === null ? days : `${days} · ${format.date(dateOfMonthDay(until), 'dayAndMonth')}`
}

function limitsText(limits: SettingsContent['limits'], format: Format): string {
  if (!limits) return ''
  const { green_ms, yellow_ms, period_ends, keep_at_most_ms: keep } = limits
  const ends = period_ends.map((day) => format.date(dateOfMonthDay(day), 'dayAndMonth'))
  const kept = keep === null ? [] : [`≤ ${format.duration(keep)}`, ...ends]
  return [`±${format.duration(green_ms)}`, `±${format.duration(yellow_ms)}`, ...kept].join(' · ')
}

function spanText(span: SettingsContent['frame']): string {
  return span ? `${span.from} – ${span.to}` : ''
}

/** Returns the codes of a place: the names are in the library of holidays, which loads when it is needed. */
function placeText(rule: SettingsContent['holidays']): string {
  return [rule?.country, rule?.state, rule?.region].filter(Boolean).join('-')
}

function fieldsOfAdjustment(adjustment: AdjustmentContent, { t, format }: DisplayOptions): RecordField[] {
  return [
    { name: 'sync.field.kind', text: t(`account.kind.${adjustment.kind}`) },
    { name: 'sync.field.date', text: format.date(adjustment.effective_date, 'medium') },
    { name: 'sync.field.amount', text: format.delta(adjustment.delta_ms) },
    { name: 'sync.field.reason', text: adjustment.reason },
  ]
}

/** A field of two versions of a record; `undefined` where a version does not have it. */
export interface ComparedField {
  name: string
  mine: string | undefined
  theirs: string | undefined
}

/** Compares two versions of a record field by field, in the order of the version with more fields. */
export function compareFields(mine: readonly RecordField[], theirs: readonly RecordField[]): ComparedField[] {
  const longestFirst = mine.length >= theirs.length ? [...mine, ...theirs] : [...theirs, ...mine]
  const textIn = (fields: readonly RecordField[], name: string) => fields.find((field) => field.name === name)?.text
  return [...new Set(longestFirst.map(({ name }) => name))].map((name) => ({
    name,
    mine: textIn(mine, name),
    theirs: textIn(theirs, name),
  }))
}
