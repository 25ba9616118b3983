import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MINUTE_MS } from '@saldo/core'
import { hours } from './samples.ts'

const FOLDER = join(import.meta.dirname, '../../../../fixtures/data')

/** A stretch of time, in milliseconds since 1970. */
export interface Stretch {
  start: number
  end: number
}

/** A finished task of the ten years, with one stretch per pomodoro, as the README of the data says. */
export interface Task {
  date: string
  tag: string
  pomodoros: Stretch[]
}

/** Reads ten years of finished tasks, from 09:00 in Rome, 25 minutes a pomodoro and 5 minutes between two. */
export function readTasks(): { tasks: Task[]; pomodoros: number } {
  const tasks: Task[] = []
  let pomodoros = 0
  let date = ''
  let at = 0
  for (const { date: of = '', tag = '', actual_pomodoros } of readCsv('renzo-pomodoro.csv')) {
    if (of !== date) {
      date = of
      at = localMs(date, '09:00', 'Europe/Rome')
    }
    const task: Task = { date, tag, pomodoros: [] }
    pomodoros += Number(actual_pomodoros)
    for (let left = Number(actual_pomodoros); left > 0.001; left -= 1) {
      const end = at + Math.round(Math.min(left, 1) * 25 * MINUTE_MS)
      task.pomodoros.push({ start: at, end })
      at = end + 5 * MINUTE_MS
    }
    tasks.push(task)
  }
  return { tasks, pomodoros }
}

/** An entry of the Toggl export. */
export interface TogglEntry extends Stretch {
  project: string
  task: string
  tags: string[]
  /** The duration that the export states, in seconds. */
  seconds: number
}

export function readTogglWeek(): TogglEntry[] {
  return readCsv('toggl-week-2018-W41.csv').map((row) => ({
    start: localMs(row['Start date'] ?? '', row['Start time'] ?? '', 'Europe/Oslo'),
    end: localMs(row['End date'] ?? '', row['End time'] ?? '', 'Europe/Oslo'),
    project: row.Project ?? '',
    task: row.Task ?? '',
    tags: (row.Tags ?? '').split(', '),
    seconds: secondsOf(row.Duration ?? ''),
  }))
}

function localMs(date: string, time: string, zone: string): number {
  return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone).epochMilliseconds
}

function secondsOf(duration: string): number {
  const [hours = Number.NaN, minutes = Number.NaN, seconds = Number.NaN] = duration.split(':').map(Number)
  return (hours * 60 + minutes) * 60 + seconds
}

/** Returns each line as an object by the names of the header. Quoted fields contain no quotes or line breaks. */
function readCsv(name: string): Record<string, string>[] {
  const lines = readFileSync(join(FOLDER, name), 'utf8').replace('\uFEFF', '').trim().split('\n')
  const [header = [], ...rows] = lines.map((line) =>
    [...`,${line.replace('\r', '')}`.matchAll(/,(?:"([^"]*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted ?? plain ?? '',
    ),
  )
  return rows.map((row) => Object.fromEntries(header.map((column, index) => [column, row[index] ?? ''])))
}

/** Returns an instant in milliseconds as text. */
export const iso = (ms: number) => new Date(ms).toISOString()
/** Returns hours of each weekday, Monday first, in milliseconds. */
export const targets = (...perDay: number[]) => perDay.map(hours)
/** Returns the content of a timed entry. */
export const timed = (kind: string, { start, end }: Stretch, more: object = {}) => ({
  kind,
  started_at: iso(start),
  ended_at: iso(end),
  ...more,
})

/** Returns ids that count up, so that a failure shows which record it is about. */
export function numbered(prefix: string): () => string {
  let count = 0
  return () => {
    count += 1
    return `${prefix}0000000-0000-4000-8000-${String(count).padStart(12, '0')}`
  }
}
