import { fieldOf, isJsonObject, itemsOf } from '@saldo/core'
import type { ReadBudget } from '../budget.ts'
import { type FileRow, newRow } from '../file.ts'

/** True for an export of ActivityWatch: of all buckets, or of one. */
export function isActivityWatch(json: unknown): boolean {
  return bucketsOf(json).length > 0
}

/** Reads the times at which somebody was at the computer. Other buckets are windows and pages, not work. */
export function readActivityWatch(json: unknown, budget: ReadBudget): FileRow[] {
  const events = bucketsOf(json).flatMap((bucket) => itemsOf(fieldOf(bucket, 'events')))
  budget.spend('rows', events.length)
  return events.map((event, index) => {
    const row = newRow(index + 1)
    if (!isJsonObject(event)) return { ...row, skip: 'invalid_record' as const }
    const { timestamp, duration, data } = event
    if (!isJsonObject(data) || data.status !== 'not-afk') return { ...row, skip: 'away' as const }
    const startMs = Date.parse(String(timestamp))
    if (Number.isNaN(startMs) || typeof duration !== 'number') return { ...row, skip: 'invalid_time' as const }
    return { ...row, start: { at: startMs }, end: { at: startMs + Math.round(duration * 1_000) } }
  })
}

function bucketsOf(json: unknown): unknown[] {
  const buckets = fieldOf(json, 'buckets')
  const all: unknown[] = typeof buckets === 'object' && buckets !== null ? Object.values(buckets) : [json]
  return all.filter((bucket) => fieldOf(bucket, 'type') === 'afkstatus')
}
