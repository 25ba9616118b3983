import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSaldo, type Saldo } from '@saldo/client'
import { draftImport, previewImport, readAccountNow, readImportFile, runImport } from '@saldo/client/import'
import { sqliteStore } from '@saldo/client/node'
import { mondayOf, type UserNumber, utcDate, weekOf } from '@saldo/core'
import { knownDays } from '@saldo/core/public-holidays'
import { send, setHours } from '../load.ts'
import { type Result, within } from '../result.ts'
import { timed } from '../scenarios.ts'
import { startSaldo } from '../servers.ts'

export interface ImportSizes {
  rows: number
}

export const fullImportSizes: ImportSizes = { rows: 25_000 }
export const tinyImportSizes: ImportSizes = { rows: 50 }

/** A Monday. */
export const FIRST_DAY = '2014-01-06'
export const MOST_PREVIEW_MS = 2_000
export const MOST_IMPORT_MS = 10_000
const MOST_SETTINGS_PREVIEW_MS = 1_000

/**
 * Imports years of work into an account whose weeks are closed: the time to the preview, and from there until the
 * service has all entries and has settled the weeks. Then the preview of a settings change over all of these years.
 */
export async function importing({ rows }: ImportSizes): Promise<Result[]> {
  const server = await startSaldo({ users: 1 })
  const folder = mkdtempSync(join(tmpdir(), 'saldo-bench-'))
  try {
    const { target } = server
    const user = server.users[0] as UserNumber
    await setHours(target, user, FIRST_DAY, { auto_close: { day_after_ms: 0, week_after_days: 0 } })
    // Nothing is due in this week, so that nothing is open once the weeks before it are closed.
    await setHours(target, user, mondayOf(weekOf(utcDate(Date.now()))), { target_ms: Array(7).fill(0) })
    const balance = async (): Promise<Balance> => JSON.parse(String(await send(target, user, 'GET', '/api/balance')))
    await until(async () => (await balance()).open_delta_ms === 0)
    const saldo = await openSaldo({
      user,
      url: `http://127.0.0.1:${target.port}`,
      token: target.authorization(user).replace('Bearer ', ''),
      store: sqliteStore(join(folder, 'device.db')),
      listen: async () => 'missing',
    })
    await saldo.sync()
    const bytes = new TextEncoder().encode(togglCsv(rows))
    let drafts: Awaited<ReturnType<typeof preview>> = []
    const previewMs = await timed(async () => {
      drafts = await preview(saldo, bytes)
    })
    const importMs = await timed(async () => {
      await runImport(saldo, drafts)
      await until(async () => {
        await saldo.sync()
        return (await saldo.status.read()).unsent === 0
      })
      await until(async () => (await balance()).recomputing.length === 0)
    })
    const settingsPreviewMs = await timed(() => previewSettings(saldo))
    await saldo.close()
    return [
      within(`preview of ${rows} rows in an account with closed weeks`, previewMs, MOST_PREVIEW_MS, 'ms'),
      within(`import of ${rows} rows, sent and settled`, importMs, MOST_IMPORT_MS, 'ms'),
      within(`preview of a settings change over all closed weeks`, settingsPreviewMs, MOST_SETTINGS_PREVIEW_MS, 'ms'),
    ]
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true })
  }
}

export interface Balance {
  open_delta_ms: number
  recomputing: readonly unknown[]
}

async function preview(saldo: Saldo, bytes: Uint8Array) {
  const file = await readImportFile({ name: 'toggl.csv', bytes }, { nowMs: Date.now() })
  const drafted = draftImport(file, { timeZone: 'Europe/Berlin' })
  return previewImport(await saldo.query(readAccountNow), drafted).drafts
}

/** Previews other hours, the holidays of a state and a vacation account, from the first day of the account on. */
async function previewSettings(saldo: Saldo): Promise<void> {
  const rows = await saldo.settings.all().read()
  const row = rows.find(({ record }) => record.effective_from === FIRST_DAY)
  if (!row) throw new Error('there are no settings')
  const target_ms = row.record.target_ms.map((ms) => ms * 0.9)
  const holidays = { country: 'DE', state: 'BY', region: null, partial: {} }
  const vacation = { days_per_year: 30, carry_over_until: '03-31' } as const
  const { weeks } = await saldo.account.preview({ ...row.record, target_ms, holidays, vacation }, knownDays)
  if (weeks.length === 0) throw new Error('no week changes')
}

/** Returns the detailed report of Toggl: ten entries of half an hour on each working day. */
export function togglCsv(rows: number): string {
  const lines = ['Description,Project,Start date,Start time,End date,End time,Duration,Tags']
  for (let day = 0; lines.length <= rows; day += 1) {
    if (day % 7 > 4) continue
    const date = new Date(Date.parse('2014-01-06') + day * 86_400_000).toISOString().slice(0, 10)
    for (let entry = 0; entry < 10 && lines.length <= rows; entry += 1) {
      const hour = String(8 + entry).padStart(2, '0')
      lines.push(`Task ${entry},Project ${day % 13},${date},${hour}:00:00,${date},${hour}:30:00,00:30:00,"a, b"`)
    }
  }
  return lines.join('\n')
}

export async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setTimeout(resolve, 50))
}
