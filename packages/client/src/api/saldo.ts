import type {
  Adjustment,
  ClosedWeek,
  DateRange,
  Draft,
  Entry,
  IsoWeek,
  LocalDate,
  Random,
  Settings,
  WritableKind,
} from '@saldo/core'
import { fetchHints, type Listen } from '../engine/change-notifications.ts'
import type { Pending } from '../engine/outbox.ts'
import { Device, type Stored } from '../engine/sync-engine.ts'
import type { DeviceClock } from '../host/clock.ts'
import type { Surroundings } from '../host/environment.ts'
import { ownAddress, systemClock, systemRandom, systemSurroundings, systemTabs } from '../host/platform.ts'
import type { Tabs } from '../host/tabs.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import { remembering } from '../queries/caching-store.ts'
import type { AlteredWeek, ForecastBalance, ForecastDay } from '../queries/forecast.ts'
import { type Live, live, liveOf, ofRange, tablesOf } from '../queries/live-query.ts'
import {
  balanceAt,
  closedWeeksOf,
  closingsLost,
  daysBetween,
  entriesBetween,
  pendingRows,
  previewOf,
  type Row,
  rowsOf,
} from '../queries/queries.ts'
import type { LocalStore, LostClosings, OpenStore, Overridden, Refused } from '../store/store.ts'
import { ask } from './ask.ts'
import { type Session, sessionOf } from './session.ts'
import { type Status, statusOf } from './status.ts'

export interface SaldoOptions {
  /** The service's number of the user, as `connect().me()` tells. */
  user: number
  store: OpenStore
  /** The service's address, such as `https://saldo.example`; in a browser, the page's own where it is left out. */
  url?: string
  /** A bearer token; without one, the browser's cookie. */
  token?: string
  /** In place of `url` and `token`: how requests get to the service, and its hints here. */
  transport?: Transport
  listen?: Listen
  /** In place of the computer's. */
  clock?: DeviceClock
  random?: Random & { fraction(): number }
  tabs?: Tabs
  surroundings?: Surroundings
}

/** Signing out would leave changes that the service does not have. */
export class UnsentChangesError extends Error {
  /** How many records have such changes. */
  readonly pending: number

  constructor(pending: number) {
    super(`${pending} changes have not been sent yet`)
    this.name = 'UnsentChangesError'
    this.pending = pending
  }
}

/** The records of a kind that programs change. */
export interface Collection<K extends WritableKind, T> {
  /**
   * Makes a record, or gives it all content anew where the id is known. Throws `InvalidRecordError` and `RefusedError`;
   * without a network the change is queued.
   */
  create(content: Draft<K>, options?: { id?: string }): Promise<{ id: string; stored: Stored }>
  /** Replaces some fields. Throws also where there is no such record. */
  update(id: string, patch: Partial<Draft<K>>): Promise<Stored>
  delete(id: string): Promise<Stored>
  all(): Live<Row<T>[]>
}

/** What only the service can do. Never queued; throws `OfflineError`, `NotSignedInError`, `RefusedError`. */
export interface Closings<Period> {
  close(period: Period): Promise<void>
  reopen(period: Period): Promise<void>
}

/** A device of one user, as programs use it. */
export interface Saldo {
  /** The service's number of the user. */
  readonly user: number
  readonly entries: Collection<'entries', Entry> & {
    /** Those that touch any of the account's dates of a range; running ones touch all from their start on. */
    between(range: DateRange): Live<Row<Entry>[]>
  }
  readonly settings: Collection<'settings_history', Settings>
  readonly balanceAdjustments: Collection<'balance_adjustments', Adjustment>
  readonly account: {
    days(range: DateRange): Live<ForecastDay[]>
    balance(): Live<ForecastBalance>
    /** As the service closed them, with what they were before and why they changed. */
    closedWeeks(): Live<ClosedWeek[]>
    /** Which closed weeks a settings row would alter. */
    preview(row: Settings): Promise<AlteredWeek[]>
    /** What the service lost of closings, to be closed again or forgotten. */
    lostClosings(): Live<LostClosings>
    forgetLostClosings(): Promise<void>
  }
  readonly weeks: Closings<IsoWeek>
  readonly days: Closings<LocalDate>
  /** What the device does, what waits and what did not get through. */
  readonly status: Live<Status>
  /** What waits to be sent, in the order in which it is. */
  readonly outbox: { list(): Live<Pending[]> }
  /** What the service refused. */
  readonly rejected: {
    list(): Live<Refused[]>
    /** Sends it again as it is. */
    retry(refused: Refused): Promise<void>
    /** Sends it with other fields, as a new edit. Throws `InvalidRecordError`. */
    edit(refused: Refused, patch: object): Promise<void>
    discard(refused: Refused): Promise<void>
  }
  /** What another device overrode, for 30 days. */
  readonly overridden: {
    list(): Live<Overridden[]>
    /** Makes mine anew, so that it wins. */
    takeMineBack(overridden: Overridden): Promise<void>
    dismiss(overridden: Overridden): Promise<void>
  }
  readonly session: Session
  /** Syncs now; resolved when there is nothing more to do, or something is in the way. */
  sync(): Promise<void>
  /** Throws `UnsentChangesError` where changes wait, unless forced: they stay here, for the next time; and `StoreError`. */
  signOut(options?: { force?: boolean }): Promise<void>
  /** Closes and deletes what is kept here. Throws `UnsentChangesError` where changes wait or were refused, unless forced. */
  forget(options?: { force?: boolean }): Promise<void>
  close(): Promise<void>
}

/** Opens a device and begins to sync; at once, offline too. */
export async function openSaldo(options: SaldoOptions): Promise<Saldo> {
  const { user, clock = systemClock, random = systemRandom } = options
  const reached = { url: options.url ?? (options.transport ? '' : ownAddress()), user, ...tokenOf(options) }
  const { transport = fetchTransport(reached), tabs = systemTabs(user, clock, random) } = options
  const { listen = fetchHints(reached, clock), surroundings = systemSurroundings(user) } = options
  const kept = options.store({ user, random })
  const store = remembering(kept)
  const device = new Device({ store: kept, transport, listen, clock, random, tabs, surroundings })
  await device.start()
  const session = sessionOf(transport, device, user)
  const status = liveOf(
    () => statusOf(device, store),
    [tablesOf(store, ['outbox', 'refused', 'overridden', 'meta']), device],
  )

  const collection = <K extends WritableKind, T>(kind: K): Collection<K, T> => {
    const all = live(store, [kind, 'outbox'], (tables) => rowsOf<T>(tables, kind))
    return {
      create: (content, { id } = {}) => device.put(kind, content, id),
      update: (id, patch) => device.update(kind, id, patch),
      delete: (id) => device.delete(kind, id),
      all: () => all,
    }
  }

  const closings = <Period extends string>(path: string, field: string): Closings<Period> => ({
    async close(period) {
      await ask(transport, 'POST', path, { [field]: period })
      device.happen('woken')
    },
    async reopen(period) {
      await ask(transport, 'DELETE', `${path}/${period}`)
      device.happen('woken')
    },
  })

  const between = ofRange((range) =>
    live(store, ['entries', 'settings_history', 'outbox'], (tables) => entriesBetween(tables, range)),
  )
  const days = ofRange((range) => live(store, ['held', 'outbox'], (tables) => daysBetween(tables, range)))

  async function close(): Promise<void> {
    await device.stop()
    await store.close()
  }

  return {
    user,
    entries: {
      ...collection<'entries', Entry>('entries'),
      between,
    },
    settings: collection('settings_history'),
    balanceAdjustments: collection('balance_adjustments'),
    account: {
      days,
      balance: () => live(store, ['held', 'outbox'], (tables) => balanceAt(tables, clock.now())),
      closedWeeks: () => live(store, ['closed_weeks'], closedWeeksOf),
      preview: (row) => store.read((tables) => previewOf(tables, row)),
      lostClosings: () => live(store, ['closed_days', 'closed_weeks', 'meta'], closingsLost),
      forgetLostClosings: () =>
        store.run(async (tables) =>
          tables.setMeta({ ...(await tables.meta()), lostClosings: { weeks: [], days: [] } }),
        ),
    },
    weeks: closings('/api/closed-weeks', 'week'),
    days: closings('/api/closed-days', 'date'),
    status,
    outbox: { list: () => live(store, ['outbox'], pendingRows) },
    rejected: {
      list: () => live(store, ['refused'], (tables) => tables.refused.all()),
      retry: (refused) => device.retry(refused),
      edit: (refused, patch) => device.edit(refused, patch),
      discard: (refused) => device.discard(refused),
    },
    overridden: {
      list: () => live(store, ['overridden'], (tables) => tables.overridden.all()),
      takeMineBack: (overridden) => device.takeMineBack(overridden),
      dismiss: (overridden) => device.dismiss(overridden),
    },
    session,
    sync: () => device.sync(),
    async signOut({ force = false } = {}) {
      if (!force) await requireAllSent(store, ['outbox'])
      await session.signOut()
    },
    async forget({ force = false } = {}) {
      const requireNothingOwn = async () => {
        if (!force) await requireAllSent(store, ['outbox', 'refused'])
      }
      await requireNothingOwn()
      await device.stop()
      // The work that was under way may have taken long, and changes may have been made meanwhile.
      await requireNothingOwn().catch(async (error: unknown) => {
        await device.start()
        throw error
      })
      await store.erase()
    },
    close,
  }
}

/** Throws `UnsentChangesError` where a table has rows, and a `StoreError` where that cannot be told. */
async function requireAllSent(store: LocalStore, names: readonly ('outbox' | 'refused')[]): Promise<void> {
  const rows = await store.read((tables) => Promise.all(names.map((name) => tables[name].all())))
  const count = rows.flat().length
  if (count > 0) throw new UnsentChangesError(count)
}

function tokenOf({ token }: SaldoOptions): { token?: string } {
  return token === undefined ? {} : { token }
}
