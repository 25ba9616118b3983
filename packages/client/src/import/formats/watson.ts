import { itemsOf } from '@saldo/core'
import type { ReadBudget } from '../budget.ts'
import { type FileRow, newRow } from '../file.ts'

/** True for the frames file of Watson, or what `watson log --json` prints. */
export function isWatson(json: unknown): boolean {
  const [first] = itemsOf(json)
  return isFrame(first) || (isObject(first) && 'project' in first && 'start' in first && 'stop' in first)
}

/** Reads frames, `[start, stop, project, id, tags, updated_at]` with seconds since 1970, or logged objects. */
export function readWatson(json: unknown, budget: ReadBudget): FileRow[] {
  const frames = itemsOf(json)
  budget.spend('rows', frames.length)
  return frames.map((frame, index) => {
    const row = newRow(index + 1)
    if (isFrame(frame)) {
      const [start, stop, project, id, tags] = frame
      return {
        ...row,
        start: { at: start * 1_000 },
        end: { at: stop * 1_000 },
        project,
        ref: id,
        tags: Array.isArray(tags) ? tags.map(String) : [],
      }
    }
    if (!isObject(frame)) return { ...row, skip: 'invalid_record' as const }
    const { start, stop, project, id, tags } = frame
    const [startMs, stopMs] = [Date.parse(String(start)), Date.parse(String(stop))]
    if (Number.isNaN(startMs)) return { ...row, skip: 'invalid_time' as const }
    return {
      ...row,
      start: { at: startMs },
      ...(!Number.isNaN(stopMs) && { end: { at: stopMs } }),
      project: String(project ?? ''),
      ...(typeof id === 'string' && { ref: id }),
      tags: Array.isArray(tags) ? tags.map(String) : [],
    }
  })
}

function isFrame(frame: unknown): frame is [number, number, string, string, unknown] {
  const [start, stop, project, id] = itemsOf(frame)
  return typeof start === 'number' && typeof stop === 'number' && typeof project === 'string' && typeof id === 'string'
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
