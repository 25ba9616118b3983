import {
  clockText,
  type EntryMutation,
  FORGOTTEN_AFTER_MS,
  forgottenTimer,
  knownNames,
  readSubject,
  recentWork,
  type TimedRecord,
  timerMutations,
  timerState,
  typedEnd,
  wallAt,
  worksAtNight,
} from '@saldo/client/entries'
import { allValues, readMoment, readTime } from '@saldo/client/reading'
import { type Entry, type EpochMs, entryLimits, epochMs, instantOf, isTimed, type RecordId } from '@saldo/core'
import { CommandError } from '../command-error.ts'
import { pastArgument, requireOne } from './arguments.ts'
import { ask, canAsk } from './ask.ts'
import { lengthMs, timeText, whatText, whenText } from './describe.ts'
import { allEntries, type DeviceSession, record, store, type UserOptions } from './session.ts'
import { hours } from './text.ts'

const RECENT = 50

interface TimerOptions extends UserOptions {
  at?: string
}

/** Starts a timer, which ends those that run. */
export function start(words: readonly string[], options: TimerOptions): Promise<void> {
  return record(options, async (session) => {
    const records = (await allEntries(session)).map((row) => row.record)
    const text = words.join(' ')
    const subject = readSubject(text, recentWork(records, RECENT), knownNames(records).projects)
    const at = atOf(options, records, session)
    const like = text.trim() === '' ? undefined : subject
    const pressed = timerMutations(records.filter(isTimed), 'start', at, session.zone, like)
    const changes = await withAskedEnds(pressed, records, at, options, session)
    await store(session, changes)
    const [started] = changes.flatMap((change) => (change.op === 'create' ? [change.content] : []))
    const what = started ? whatText(started) : ''
    return {
      lines: [...stoppedLines(changes, session), `started at ${timeText(at, session.zone)}${what && `: ${what}`}`],
      json: { started: started ?? null, stopped: changes.filter(({ op }) => op === 'update').length },
    }
  })
}

/** Stops the timer. */
export function stop(options: TimerOptions): Promise<void> {
  return record(options, async (session) => {
    const records = (await allEntries(session)).map((row) => row.record)
    const timed = records.filter(isTimed)
    if (timerState(timed).kind === 'idle') throw new CommandError('no timer is running')
    const at = atOf(options, records, session)
    const changes = await withAskedEnds(timerMutations(timed, 'stop', at, session.zone), records, at, options, session)
    await store(session, changes)
    return {
      lines: stoppedLines(changes, session),
      json: {
        stopped: changes.flatMap((change) => (change.op === 'update' ? [{ ...change.record, ...change.patch }] : [])),
      },
    }
  })
}

/** Returns the moment of `--at`, or now. An hour that can be two is the one after the start of the timer that runs. */
function atOf({ at }: TimerOptions, records: readonly Entry[], session: DeviceSession): EpochMs {
  const running = records.filter(isTimed).filter(({ ended_at }) => ended_at === null)
  const sinceMs = Math.max(...running.map(({ started_at }) => epochMs(started_at)))
  return at === undefined ? session.nowMs : pastArgument(at, '--at', session, sinceMs)
}

/**
 * Returns the changes with the ends that the user names for timers that may be forgotten. Throws `CommandError` if a
 * timer was started after `at`, or if one may be forgotten and nobody can be asked.
 */
async function withAskedEnds(
  changes: readonly EntryMutation[],
  records: readonly Entry[],
  at: EpochMs,
  options: TimerOptions,
  session: DeviceSession,
): Promise<EntryMutation[]> {
  const isNightUsual = worksAtNight(records, session.timeline)
  const endsById = new Map<RecordId, EpochMs>()
  for (const change of changes) {
    if (change.op !== 'update' || !isTimed(change.record)) continue
    if (epochMs(change.record.started_at) > at) {
      throw new CommandError('the timer that runs was started later than that', 2)
    }
    const forgotten = forgottenTimer([change.record], session.timeline, at, isNightUsual, FORGOTTEN_AFTER_MS)
    if (forgotten && !saysWhichDay(options)) endsById.set(forgotten.id, await askedEnd(forgotten, options, session))
  }
  return changes.map((change) => {
    const endMs = change.op === 'update' ? endsById.get(change.record.id) : undefined
    return change.op === 'update' && endMs !== undefined
      ? { ...change, patch: { ...change.patch, ended_at: instantOf(endMs) } }
      : change
  })
}

/** True if `--at` is `now` or has a date: a time alone could be of the day on which a forgotten timer began. */
function saysWhichDay({ at }: TimerOptions): boolean {
  return at !== undefined && readTime(at).kind === 'nothing'
}

/** Asks when a timer ended that may be forgotten. Throws `CommandError` where nobody can answer. */
async function askedEnd(timer: TimedRecord, { json }: TimerOptions, session: DeviceSession): Promise<EpochMs> {
  const { zone, nowMs, today } = session
  const startMs = epochMs(timer.started_at)
  const what = whatText(timer)
  const since = `the timer has been running since ${timeText(startMs, zone, today)}, for ${hours(nowMs - startMs)}`
  if (json || !canAsk()) {
    const dated = `--at '${timeText(startMs, zone, today)}'`
    throw new CommandError(`${since}${what && `: ${what}`}; say when it ended, as in ${dated}, or --at now`, 2)
  }
  const answer = await ask(`saldo: ${since}${what && `: ${what}`}\nWhen did it end? (such as 17:00, or now) `)
  const times = allValues(readTime(answer, { start: wallAt(startMs, zone).minutes }))
  const typed = times.flatMap((minutes) => typedEnd(clockText(minutes), undefined, startMs, nowMs, zone).endMs ?? [])
  const ends = (times.length > 0 ? typed : allValues(readMoment(answer, session))).filter(
    (ms) => ms >= startMs && ms <= Math.min(nowMs, startMs + entryLimits.ms),
  )
  const [endMs] = ends
  if (endMs === undefined) {
    throw new CommandError('the end must be after the start, not after now, and at most 31 days later', 2)
  }
  requireOne(
    ends.map((ms) => timeText(ms, zone, today)),
    'the end',
  )
  return endMs
}

function stoppedLines(changes: readonly EntryMutation[], { zone, nowMs }: DeviceSession): string[] {
  return changes.flatMap((change) => {
    if (change.op !== 'update') return []
    const entry = { ...change.record, ...change.patch } as Entry
    const what = whatText(entry)
    return `stopped after ${hours(lengthMs(entry, nowMs) ?? 0)} (${whenText(entry, zone)})${what && `: ${what}`}`
  })
}
