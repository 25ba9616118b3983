import type {
  Adjustment,
  ClosedWeek,
  ContentInput,
  DateRange,
  Entry,
  EpochMs,
  ExpiryProposal,
  IsoWeek,
  KnownDays,
  LocalDate,
  Random,
  RecordId,
  RecordOf,
  Settings,
  UserNumber,
  VacationYear,
  WritableKind,
} from '@saldo/core'
import type { Mutation } from '../engine/mutation.ts'
import type { MutationResult, Mutator, PendingMutation } from '../engine/mutator.ts'
import type { ShownRecord } from '../engine/shown-record.ts'
import { SyncEngine } from '../engine/sync-engine.ts'
import type { DeviceClock, HostEnvironment } from '../host/environment.ts'
import { fetchNotifications, type Listen } from '../host/event-stream.ts'
import { ownAddress, systemClock, systemEnvironment, systemRandom, systemTabs } from '../host/platform.ts'
import type { Tabs } from '../host/tabs.ts'
import { fetchTransport, type Transport } from '../host/transport.ts'
import type { ForecastBalance, ForecastDay, SettingsPreview } from '../queries/forecast.ts'
import {
  changesOf,
  type Live,
  type LiveQueries,
  liveOver,
  liveQueriesOf,
  queryPerRange,
} from '../queries/live-query.ts'
import {
  balanceAt,
  entriesBetween,
  forecastBetween,
  listClosedWeeks,
  listLostClosings,
  listOutbox,
  listProposals,
  listShownRecords,
  previewAt,
  vacationAt,
} from '../queries/queries.ts'
import { cachingStore } from '../store/caching-store.ts'
import type { Conflict, LostClosings, OutboxRow, RejectedChange } from '../store/rows.ts'
import type { LocalStore, OpenStore, ReadTables } from '../store/store.ts'
import { UnsentChangesError } from './errors.ts'
import { type UserAccount, userAccountOf } from './own-user-account.ts'
import { request } from './request.ts'
import { readStatus, type Status } from './status.ts'

/** The user of a device, its store, and its way to the service. */
export interface SaldoOptions {
  /** The user's number, from `connect().me()`. */
  user: UserNumber
  store: OpenStore
  /** The service's address, such as `https://saldo.example`; in a browser, by default the page's own origin. */
  url?: string
  /** A bearer token; without one, the browser's cookie. */
  token?: string
  /** Replaces `url` and `token`: sends requests. */
  transport?: Transport
  /** Replaces `url` and `token`: receives change notifications. */
  listen?: Listen
  /** Called in the tab that syncs when an answer of the user's company has changed. */
  onTeamChange?: () => void
  /** Replaces the clock of this computer. */
  clock?: DeviceClock
  random?: Random & { fraction(): number }
  tabs?: Tabs
  environment?: HostEnvironment
}

/** The records of a kind that programs write. */
export interface Collection<K extends WritableKind, T> {
  /**
   * Creates a record, or replaces its content if the id exists; without a network the change is queued. Its promises
   * reject with `InvalidRecordError`, and `StoreError` if the change could not be stored; `settled` also with
   * `RejectedError`.
   */
  create(
    content: ContentInput<K>,
    options?: { id?: RecordId },
  ): PendingMutation<{ id: RecordId; result: MutationResult }>
  /** Replaces some fields. Rejects like `create`, and with `MissingRecordError` if there is no such record. */
  update(id: RecordId, patch: Partial<ContentInput<K>>): PendingMutation
  /** Deletes a record. Rejects with `RejectedError` and `StoreError`. */
  delete(id: RecordId): PendingMutation
  /**
   * Queues many changes of different records in one step, without patches of records that are gone. Changes that the
   * service rejects are kept as rejected changes. Throws `InvalidRecordError` and `StoreError`; then none is queued.
   */
  queueAll(changes: readonly Mutation<K>[]): Promise<void>
  /** All live records, with unsent changes applied. */
  all(): Live<ShownRecord<T>[]>
}

/** Closing and reopening at the service. Throws `OfflineError`, `NotSignedInError`, `RejectedError`. */
export interface Closings<Period> {
  /** Closes a period at the service. */
  close(period: Period): Promise<void>
  /** Opens a closed period again. */
  reopen(period: Period): Promise<void>
}

/** A device of one user. */
export interface Saldo {
  /** The number of the user. */
  readonly user: UserNumber
  readonly entries: Collection<'entries', Entry> & {
    /** The entries that touch the account's dates of a range; a running one touches all dates from its start on. */
    between(range: DateRange): Live<ShownRecord<Entry>[]>
  }
  readonly settings: Collection<'settings_history', Settings>
  readonly balanceAdjustments: Collection<'balance_adjustments', Adjustment>
  readonly account: {
    /** Each day of a range: its closed-period figures, and its figures by the records with unsent changes (D3.44). */
    days(range: DateRange): Live<ForecastDay[]>
    /** The balance with unsent changes, as computed on this device (D3.44). */
    balance(): Live<ForecastBalance>
    /** The closed weeks, as the service last sent them. */
    closedWeeks(): Live<ClosedWeek[]>
    /** The vacation account of a year; null if no settings row has a vacation rule and no days were granted. */
    vacation(year: number): Live<VacationYear | null>
    /** The decided ends of periods, and the first undecided one at which hours may expire, in order of date. */
    proposals(): Live<ExpiryProposal[]>
    /**
     * Returns the effect of a settings row on the balance and its weeks. It replaces a row of the same id. With a
     * library of holidays, such as that of `@saldo/core/public-holidays`, the effect counts what it knows.
     */
    preview(row: Settings, knownDays?: KnownDays): Promise<SettingsPreview>
    /** Closings that the service lost in a history reset, until they are closed again or forgotten. */
    lostClosings(): Live<LostClosings>
    /** Removes the lost closings from this device. */
    forgetLostClosings(): Promise<void>
  }
  /** Closes and reopens weeks. */
  readonly weeks: Closings<IsoWeek>
  /** Closes and reopens days. */
  readonly days: Closings<LocalDate>
  /** The sync status of this device. */
  readonly status: Live<Status>
  readonly outbox: {
    /** Unsent changes, in the order in which they are sent. */
    list(): Live<OutboxRow[]>
    /** Their number, which is read at once however many there are. */
    count(): Live<number>
  }
  readonly rejectedChanges: {
    list(): Live<RejectedChange[]>
    /** Sends the change again as it is, unless a later change of the record is unsent. */
    retry(rejected: RejectedChange): Promise<void>
    /** Sends the change with other fields, as a new change. Throws `InvalidRecordError`. */
    edit(rejected: RejectedChange, patch: object): Promise<void>
    /** Forgets the change. */
    discard(rejected: RejectedChange): Promise<void>
  }
  /** Changes that lost against those of another device, for 30 days. */
  readonly conflicts: {
    list(): Live<Conflict[]>
    /** Makes the change that lost anew, so that it wins. */
    restoreMine(conflict: Conflict): Promise<void>
    /** Forgets the conflict; the change that won stays. */
    dismiss(conflict: Conflict): Promise<void>
    /** Lists a dismissed conflict again. */
    undoDismiss(conflict: Conflict): Promise<void>
  }
  readonly userAccount: UserAccount
  /** Runs a query of a part of this library that loads when it is used, at a moment of this device's clock. */
  query<T>(body: (tables: ReadTables, nowMs: EpochMs) => Promise<T>): Promise<T>
  /** Syncs now. Resolves when there is nothing more to do, or something is in the way. */
  sync(): Promise<void>
  /**
   * Ends the session; the local store stays. Returns the address where an OpenID provider ends its own, if it has one.
   * Throws `UnsentChangesError` unless forced, and `StoreError`.
   */
  signOut(options?: { force?: boolean }): Promise<string | undefined>
  /** Closes and deletes the local store. Throws `UnsentChangesError` for unsent or rejected changes, unless forced. */
  forget(options?: { force?: boolean }): Promise<void>
  /** Stops to sync and closes the local store. */
  close(): Promise<void>
}

/**
 * Opens a device, with or without a network, and starts to sync. Throws an `InvalidAddressError`, a `StoreError`, and a
 * `TypeError` without `Temporal`.
 */
export async function openSaldo(options: SaldoOptions): Promise<Saldo> {
  if (!('Temporal' in globalThis)) {
    throw new TypeError("Temporal is missing: import 'temporal-polyfill/global' first")
  }
  const { user, clock = systemClock, random = systemRandom } = options
  const url = options.url ?? (options.transport ? '' : ownAddress())
  const service = { url, user, ...(options.token !== undefined && { token: options.token }) }
  const {
    transport = fetchTransport(service, clock),
    listen = fetchNotifications(service, clock, options.onTeamChange),
  } = options
  const { tabs = systemTabs(user, clock, random), environment = systemEnvironment(user) } = options
  const ownStore = options.store({ user, random })
  const store = cachingStore(ownStore)
  const liveQuery = liveQueriesOf(store)
  // The engine reads past the cache.
  const engine = new SyncEngine({ store: ownStore, transport, listen, clock, random, tabs, environment })
  await engine.start()
  const userAccount = userAccountOf(transport, user, (event) => engine.dispatch(event))
  const { mutator } = engine
  return {
    user,
    entries: {
      ...collectionOf('entries', liveQuery, mutator),
      between: queryPerRange((range) =>
        liveQuery(['entries', 'settings_history', 'outbox'], (tables) => entriesBetween(tables, range)),
      ),
    },
    settings: collectionOf('settings_history', liveQuery, mutator),
    balanceAdjustments: collectionOf('balance_adjustments', liveQuery, mutator),
    account: accountQueriesOf(user, store, liveQuery, clock),
    weeks: closingsOf('/api/closed-weeks', 'week', transport, engine),
    days: closingsOf('/api/closed-days', 'date', transport, engine),
    status: liveOver(
      () => readStatus(engine, store),
      [changesOf(store, ['outbox', 'rejectedChanges', 'conflicts', 'meta']), engine],
    ),
    outbox: {
      list: () => liveQuery(['outbox'], listOutbox),
      count: () => liveQuery(['outbox'], (tables) => tables.outbox.count()),
    },
    rejectedChanges: {
      list: () => liveQuery(['rejectedChanges'], (tables) => tables.rejectedChanges.all()),
      retry: (rejected) => mutator.retry(rejected),
      edit: (rejected, patch) => mutator.edit(rejected, patch),
      discard: (rejected) => mutator.discard(rejected),
    },
    conflicts: {
      list: () => liveQuery(['conflicts'], (tables) => tables.conflicts.all()),
      restoreMine: (conflict) => mutator.restoreMine(conflict),
      dismiss: (conflict) => mutator.dismiss(conflict),
      undoDismiss: (conflict) => mutator.undoDismiss(conflict),
    },
    userAccount,
    query: (body) => store.read((tables) => body(tables, clock.now())),
    sync: () => engine.sync(),
    async signOut({ force = false } = {}) {
      if (!force) await requireEmpty(store, ['outbox'])
      return userAccount.signOut()
    },
    forget: ({ force = false } = {}) => forgetDevice(engine, store, force),
    async close() {
      await engine.stop()
      await store.close()
    },
  }
}

function collectionOf<K extends WritableKind>(
  kind: K,
  liveQuery: LiveQueries,
  mutator: Mutator,
): Collection<K, RecordOf<K>> {
  const all = liveQuery([kind, 'outbox'], (tables) => listShownRecords(tables, kind))
  return {
    create: (content, options) => mutator.put(kind, content, options),
    update: (id, patch) => mutator.update(kind, id, patch),
    delete: (id) => mutator.delete(kind, id),
    queueAll: (changes) => mutator.queueAll(kind, changes),
    all: () => all,
  }
}

function closingsOf<Period extends string>(
  path: string,
  field: string,
  transport: Transport,
  engine: SyncEngine,
): Closings<Period> {
  return {
    async close(period) {
      await request(transport, 'POST', path, { [field]: period })
      engine.dispatch('syncRequested')
    },
    async reopen(period) {
      await request(transport, 'DELETE', `${path}/${period}`)
      engine.dispatch('syncRequested')
    },
  }
}

function accountQueriesOf(
  user: UserNumber,
  store: LocalStore,
  liveQuery: LiveQueries,
  clock: DeviceClock,
): Saldo['account'] {
  return {
    days: queryPerRange((range) => liveQuery(['baseRecords', 'outbox'], (tables) => forecastBetween(tables, range))),
    balance: () => liveQuery(['baseRecords', 'outbox'], (tables) => balanceAt(tables, clock.now())),
    closedWeeks: () => liveQuery(['closed_weeks'], listClosedWeeks),
    vacation: (year) =>
      liveQuery(['entries', 'settings_history', 'outbox'], (tables) => vacationAt(tables, year, clock.now())),
    proposals: () => liveQuery(['baseRecords', 'outbox'], (tables) => listProposals(tables, user, clock.now())),
    preview: (row, knownDays) =>
      store.read((tables) => previewAt(tables, row, clock.now(), knownDays && { user, knownDays })),
    lostClosings: () => liveQuery(['closed_days', 'closed_weeks', 'meta'], listLostClosings),
    forgetLostClosings: () =>
      store.write(async (tables) =>
        tables.setMeta({ ...(await tables.meta()), lostClosings: { weeks: [], days: [] } }),
      ),
  }
}

async function forgetDevice(engine: SyncEngine, store: LocalStore, isForced: boolean): Promise<void> {
  const requireAllSent = async () => {
    if (!isForced) await requireEmpty(store, ['outbox', 'rejectedChanges'])
  }
  await requireAllSent()
  await engine.stop()
  // Stopping may take long, and changes may have been made meanwhile.
  await requireAllSent().catch(async (error: unknown) => {
    await engine.start()
    throw error
  })
  await store.erase()
}

/** Throws `UnsentChangesError` if a table has rows, and a `StoreError` if that cannot be read. */
async function requireEmpty(store: LocalStore, names: readonly ('outbox' | 'rejectedChanges')[]): Promise<void> {
  const counts = await store.read((tables) => Promise.all(names.map((name) => tables[name].count())))
  const count = counts.reduce((sum, one) => sum + one, 0)
  if (count > 0) throw new UnsentChangesError(count)
}
