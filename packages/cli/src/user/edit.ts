import { instantAt, wallAt } from '@saldo/client/entries'
import { type Entry, epochMs, type Instant, instantOf, isTimed, type LocalDate, type ZoneName } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { entryLine, planOf, type TextOptions } from './add.ts'
import { dateArgument, timeArgument } from './arguments.ts'
import { dateOf } from './describe.ts'
import { rejectedEntries } from './rejected.ts'
import { allEntries, type DeviceSession, record, store } from './session.ts'

const DAY_MINUTES = 24 * 60

/** Options of `saldo edit`. */
export interface EditOptions extends TextOptions {
  start?: string
  end?: string
  project?: string
  note?: string
  tags?: string
  date?: string
  delete?: true
}

/**
 * Changes or deletes an entry, which the beginning of its id names. An entry that the service rejected, and that is
 * nowhere else, is sent again as it is then, or forgotten.
 */
export function edit(id: string, words: readonly string[], options: EditOptions): Promise<void> {
  return record(options, async (session) => {
    const rows = await allEntries(session)
    const rejected = rejectedEntries(await session.saldo.rejectedChanges.list().read(), rows)
    const entry = entryOf([...rows.map((row) => row.record), ...rejected.map((each) => each.entry)], id)
    const change = rejected.find((each) => each.entry === entry)?.rejected
    if (options.delete) {
      if (change) await session.saldo.rejectedChanges.discard(change)
      else await store(session, [{ op: 'delete', record: entry }])
      return { lines: [`deleted ${entryLine(entry, session.zone)}`], json: { deleted: entry } }
    }
    const others = rows.filter((row) => row.record.id !== entry.id)
    const patch =
      words.length > 0 ? await patchOfText(entry, words, session, others, options) : patchOf(entry, options, session)
    if (Object.keys(patch).length === 0) throw new CommandError('nothing to change: give a line or an option', 2)
    if (change) await session.saldo.rejectedChanges.edit(change, patch)
    else await store(session, [{ op: 'update', record: entry, patch }])
    const after = { ...entry, ...patch } as Entry
    return { lines: [`changed ${entryLine(after, session.zone)}`], json: { changed: after } }
  })
}

function entryOf(entries: readonly Entry[], id: string): Entry {
  const found = entries.filter((entry) => entry.id.startsWith(id.toLowerCase()))
  const [only] = found
  if (!only || id === '') throw new CommandError(`there is no entry ${id}: «saldo log» shows ids`)
  if (found.length > 1) throw new CommandError(`${found.length} entries begin with ${id}: give more of the id`, 2)
  return only
}

async function patchOfText(
  entry: Entry,
  words: readonly string[],
  session: DeviceSession,
  others: Awaited<ReturnType<typeof allEntries>>,
  options: EditOptions,
): Promise<Partial<Entry>> {
  const plan = await planOf(words, { ...session, date: dateOf(entry, session.zone) }, others, options)
  const contents = plan.kind === 'entries' ? plan.entries : plan.kind === 'absence' ? plan.days : []
  const [content] = contents
  if (!content || contents.length > 1) throw new CommandError('a line that edits must be about one entry', 2)
  const { source: _source, import_ref: _ref, ...patch } = content
  return patch
}

function patchOf(entry: Entry, options: EditOptions, session: DeviceSession): Partial<Entry> {
  const { project, note, tags } = options
  const date = options.date === undefined ? undefined : dateArgument(options.date, '--date', session)
  return {
    ...(project !== undefined && { project: project === '' ? null : project }),
    ...(note !== undefined && { note }),
    ...(tags !== undefined && { tags: tags.split(/[\s,]+/).flatMap((tag) => tag.replace(/^#/, '') || []) }),
    ...timesOf(entry, { ...options, date }, session.zone),
    ...(date !== undefined && !isTimed(entry) && { date }),
  }
}

/**
 * Returns the times of a timed entry that the options change: a date moves all of it, a start or end of the clock is on
 * its date, and an end before the start on the next one. An end of twelve hours is read beside the start. Throws
 * `CommandError`.
 */
export function timesOf(
  entry: Entry,
  {
    start: from,
    end: to,
    date: on,
  }: { start?: string | undefined; end?: string | undefined; date?: LocalDate | undefined },
  zone: ZoneName,
): { started_at?: Instant; ended_at?: Instant } {
  if (from === undefined && to === undefined && on === undefined) return {}
  if (!isTimed(entry)) {
    if (from === undefined && to === undefined) return {}
    throw new CommandError('an absence has no times of day', 2)
  }
  const startMs = epochMs(entry.started_at)
  const wall = wallAt(startMs, zone)
  const date = on ?? wall.date
  const movedMs = instantAt(date, wall.minutes, zone) - instantAt(wall.date, wall.minutes, zone)
  const start = from === undefined ? startMs + movedMs : instantAt(date, timeArgument(from, '--start'), zone)
  const started_at = instantOf(start)
  if (to === undefined) {
    return entry.ended_at === null
      ? { started_at }
      : { started_at, ended_at: instantOf(epochMs(entry.ended_at) + movedMs) }
  }
  const minutes = timeArgument(to, '--end', { start: wallAt(start, zone).minutes })
  const sameDay = instantAt(date, minutes, zone)
  return { started_at, ended_at: instantOf(sameDay >= start ? sameDay : instantAt(date, minutes + DAY_MINUTES, zone)) }
}
