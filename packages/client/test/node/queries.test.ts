import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildTimeline, dayWindow, type JsonObject, MINUTE_MS, type RecordKind } from '@saldo/core'
import { expect, onTestFinished, test } from 'vitest'
import { entriesBetween, forecastBetween } from '../../src/queries/queries.ts'
import { sqliteStore } from '../../src/store/node/sqlite-store.ts'
import { aSettingsRow, aWork } from '../../src/testing.ts'
import { baseRecord, owner } from '../rows.ts'

test.each(['Pacific/Niue', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Pacific/Kiritimati'])(
  '[D7.54] [D3.44] in %s, a date has the work of its first and of its last minute, and none beside it',
  async (time_zone) => {
    const folder = mkdtempSync(join(tmpdir(), 'saldo-queries-'))
    const store = sqliteStore(join(folder, 'store.db'))(owner)
    onTestFinished(async () => {
      await store.close()
      rmSync(folder, { recursive: true })
    })
    const settings = aSettingsRow({ time_zone })
    const range = { from: '2026-11-18', to: '2026-11-18' } as const
    const { start, end } = dayWindow(buildTimeline([settings]), range.from)
    const startsMs = [start - MINUTE_MS, start, end - MINUTE_MS, end]
    const work = startsMs.map((ms) => aWork(ms, ms + MINUTE_MS))
    const rows = [settings, ...work].map((record, index) => ({
      ...baseRecord(index + 1, record as unknown as JsonObject),
      kind: (index === 0 ? 'settings_history' : 'entries') as RecordKind,
      id: record.id,
    }))
    await store.write((tables) => tables.baseRecords.put(rows))
    const entries = await store.read((tables) => entriesBetween(tables, range))
    expect(entries.map(({ record }) => record.id).toSorted()).toEqual([work[1]?.id, work[2]?.id].toSorted())
    const [day] = await store.read((tables) => forecastBetween(tables, range))
    expect(day?.forecast.worked_ms).toBe(2 * MINUTE_MS)
  },
)
