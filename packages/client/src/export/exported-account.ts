import {
  buildTimeline,
  type ClosedWeek,
  dateAt,
  type EpochMs,
  instantOf,
  type JsonObject,
  jsonOf,
  type Profile,
  type RecordKind,
  recordKinds,
  type UserNumber,
} from '@saldo/core'
import type { Saldo } from '../api/saldo.ts'
import { ledgerRange } from '../queries/ledger.ts'
import { listShownRecords, serviceNowMs } from '../queries/queries.ts'
import type { ReadTables } from '../store/store.ts'
import type { ExportedAccount } from './tables.ts'

/** Returns what the tables of an account are made of, at a moment of the device's clock. Throws `StoreError`. */
export async function readExportedAccount(saldo: Saldo, deviceNowMs: EpochMs): Promise<ExportedAccount> {
  const records = <T>(rows: readonly { record: T }[]) => rows.map(({ record }) => record)
  const timeline = buildTimeline(records(await saldo.settings.all().read()))
  const closedWeeks: ClosedWeek[] = await saldo.account.closedWeeks().read()
  const today = dateAt(timeline, await saldo.query((tables) => serviceNowMs(tables, deviceNowMs)))
  const days = await saldo.account.days(ledgerRange(timeline[0]?.effective_from, closedWeeks, today)).read()
  return {
    timeline,
    entries: records(await saldo.entries.all().read()),
    days,
    closedWeeks,
    adjustments: await saldo.balanceAdjustments.all().read(),
    today,
  }
}

/**
 * Returns the whole account as JSON, in the shape of `GET /api/me/export`: with unsent changes, with records that this
 * program cannot read as they came, and with the profile that the device knows.
 */
export async function exportJson(
  tables: ReadTables,
  user: { user_id: UserNumber; email: string } & Profile,
  deviceNowMs: EpochMs,
): Promise<string> {
  const { position } = await tables.meta()
  const records: Partial<Record<RecordKind, JsonObject[]>> = {}
  for (const kind of recordKinds) records[kind] = await recordsOf(tables, kind)
  const exported_at = instantOf(await serviceNowMs(tables, deviceNowMs))
  return JSON.stringify({ exported_at, version: position?.version ?? 0, user, records })
}

async function recordsOf(tables: ReadTables, kind: RecordKind): Promise<JsonObject[]> {
  const shown = (await listShownRecords(tables, kind)).map(({ record }) => jsonOf(record))
  const bases = await tables.baseRecords.ofKind(kind)
  const unreadable = bases.flatMap(({ record, isUnreadable }) => (isUnreadable && record ? [record] : []))
  return [...shown, ...unreadable]
}
