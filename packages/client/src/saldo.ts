import {
  type Adjustment,
  type ClosedDay,
  type ClosedWeek,
  type Content,
  type DateRange,
  datesOfEntry,
  type Entry,
  FIRST_DATE,
  type IsoWeek,
  LAST_DATE,
  type Random,
  type RecordKind,
  type Settings,
  timelineOf,
  type WritableKind,
} from '@saldo/core'
import { Device, type DeviceClock, type Status, type Stored } from './device.ts'
import {
  type Account,
  type AlteredWeek,
  type ForecastBalance,
  type ForecastDay,
  forecastBalance,
  forecastDays,
  previewSettings,
} from './forecast.ts'
import { type Live, live, liveOf } from './live.ts'
import { ask } from './service-only.ts'
import { type Session, sessionOf } from './session.ts'
import { type LocalStore, recordKey, type Tables } from './store/store.ts'
import type { Transport } from './transport.ts'
import { showAll } from './view.ts'

export interface SaldoOptions {
  store: LocalStore
  transport: Transport
  clock: DeviceClock
  random: Random & { fraction(): number }
}

/** A record of a kind as a program sees it, with whether something of it is still pending. */
export interface Row<T> {
  record: T
  pending: boolean
}

/** The records of a kind that programs change. */
export interface Collection<K extends WritableKind, T> {
  /** Throws `InvalidRecordError` and `RefusedError`; without a network the change is queued. */
  create(content: Content<K>): Promise<{ id: string; stored: Stored }>
  /** Replaces some fields. Throws also where there is no such record. */
  update(id: string, patch: Partial<Content<K>>): Promise<Stored>
  delete(id: string): Promise<Stored>
  all(): Live<Row<T>[]>
}

/** A device of one user, as programs use it. */
export interface Saldo {
  readonly device: Device
  readonly entries: Collection<'entries', Entry> & { between(fromMs: number, toMs: number): Live<Row<Entry>[]> }
  readonly settings: Collection<'settings_history', Settings>
  readonly balanceAdjustments: Collection<'balance_adjustments', Adjustment>
  readonly account: {
    days(range: DateRange): Live<ForecastDay[]>
    balance(): Live<ForecastBalance>
    preview(row: Settings): Promise<AlteredWeek[]>
  }
  readonly weeks: {
    /** Never queued. Throws `OfflineError`, `NotSignedInError`, `RefusedError`. */
    close(week: IsoWeek): Promise<void>
    reopen(week: IsoWeek): Promise<void>
  }
  /** What the device does, what waits and what did not get through. */
  readonly status: Live<Status>
  readonly session: Session
  close(): Promise<void>
}

/** Opens a device and begins to sync; offline too. */
export async function openSaldo(options: SaldoOptions): Promise<Saldo> {
  const { store, transport, clock } = options
  const device = new Device(options)
  await device.start()

  const collection = <K extends WritableKind, T>(kind: K): Collection<K, T> => ({
    create: (content) => device.put(kind, content),
    update: (id, patch) => device.update(kind, id, patch),
    delete: (id) => device.delete(kind, id),
    all: () => live(store, (tables) => rowsOf<T>(tables, kind)),
  })

  async function closing(method: 'POST' | 'DELETE', path: string, body?: object): Promise<void> {
    await ask(transport, method, path, body)
    device.happen('woken')
  }

  return {
    device,
    entries: {
      ...collection<'entries', Entry>('entries'),
      between: (fromMs, toMs) =>
        live(store, async (tables) => {
          const rows = await rowsOf<Entry>(tables, 'entries')
          return rows.filter(({ record }) => meets(record, fromMs, toMs))
        }),
    },
    settings: collection('settings_history'),
    balanceAdjustments: collection('balance_adjustments'),
    account: {
      days: (range) => live(store, async (tables) => forecastDays(await accountOf(tables), range)),
      balance: () =>
        live(store, async (tables) => {
          const confirmed = (await tables.held.ofKind('balance_adjustments')).flatMap(({ record }) => record ?? [])
          return forecastBalance(await accountOf(tables), confirmed as unknown as Adjustment[], clock.now())
        }),
      preview: (row) => store.run(async (tables) => previewSettings(await accountOf(tables), row)),
    },
    weeks: {
      close: (week) => closing('POST', '/api/closed-weeks', { week }),
      reopen: (week) => closing('DELETE', `/api/closed-weeks/${week}`),
    },
    status: liveOf(() => device.status(), [store, device]),
    session: sessionOf(transport, device),
    async close() {
      await device.stop()
      await store.close()
    },
  }
}

async function rowsOf<T>(tables: Tables, kind: RecordKind): Promise<Row<T>[]> {
  return (await showAll(tables, kind)).map(({ record, pending }) => ({ record: record as T, pending }))
}

function meets(entry: Entry, fromMs: number, toMs: number): boolean {
  const [from, to] = 'started_at' in entry ? [entry.started_at, entry.ended_at] : [entry.date, entry.date]
  return Date.parse(from as string) < toMs && (to === null || Date.parse(to as string) >= fromMs)
}

async function accountOf(tables: Tables): Promise<Account> {
  const rows = async <T>(kind: RecordKind) => (await rowsOf<T>(tables, kind)).map(({ record }) => record)
  const settings = await rows<Settings>('settings_history')
  return {
    settings,
    entries: await rows<Entry>('entries'),
    adjustments: await rows<Adjustment>('balance_adjustments'),
    closedDays: await rows<ClosedDay>('closed_days'),
    closedWeeks: await rows<ClosedWeek>('closed_weeks'),
    touched: await touchedDates(tables, settings),
  }
}

/** The dates that pending edits can change: of an entry its old and new ones; with settings, all. */
async function touchedDates(tables: Tables, settings: readonly Settings[]): Promise<DateRange[]> {
  const pending = await tables.outbox.all()
  if (pending.some(({ kind }) => kind === 'settings_history')) return [{ from: FIRST_DATE, to: LAST_DATE }]
  const timeline = timelineOf(settings)
  const touched: DateRange[] = []
  for (const { kind, id, content } of pending) {
    if (kind !== 'entries') continue
    const held = await tables.held.get(recordKey({ kind, id }))
    for (const entry of [held?.record, content]) {
      const dates = entry && datesOfEntry(entry as Content<'entries'>, timeline)
      if (dates) touched.push(dates)
    }
  }
  return touched
}
