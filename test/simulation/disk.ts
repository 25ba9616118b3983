import { StoreError } from '@saldo/client'
import type { LocalStore, ReadTables, TableName, Tables } from '../../packages/client/src/store/store.ts'
import type { Page } from '../../packages/client/test/simulated-browser/page.ts'
import type { Drive } from './drive.ts'

/** Looks at the tables after a transaction that changed some of them. */
export interface Watch {
  /** When the store was opened; or opened again, maybe without its last transaction, which the power cut off. */
  begin(tables: ReadTables, isTorn: boolean): Promise<void>
  look(tables: ReadTables, changed: ReadonlySet<TableName>): Promise<void>
}

/** A fault at the commit of a transaction, before the page gets its outcome. */
interface ScheduledFault {
  left: number
  /** The owner whose transactions count; absent if all do. */
  page: Page | undefined
  happen: () => void
}

/** The page is frozen or gone at the turn of its transaction. */
class NotNowError extends Error {}

export interface DiskOptions {
  /** Names the device. */
  name: string
  drive: Drive
  watch: Watch
  /** Receives violations. */
  failed: (error: unknown) => void
  /** Counts work that ends by itself. */
  during: <T>(work: Promise<T>) => Promise<T>
}

/** The store of a user's pages in a browser. It outlives them, and can be full. */
export class Disk {
  readonly #options: DiskOptions
  readonly #listeners = new Set<{ page: Page; listener: (changed: ReadonlySet<TableName>) => void }>()
  #scheduledFaults: ScheduledFault[] = []
  /** Number of transactions that still fit. */
  #room = Number.POSITIVE_INFINITY
  #own: LocalStore
  #begun: Promise<void>

  get name(): string {
    return this.#options.name
  }

  constructor(options: DiskOptions) {
    this.#options = options
    this.#own = options.drive.open()
    this.#begun = this.#begin(false)
  }

  /** Returns a page's view of the store. */
  storeOf(page: Page): LocalStore & { release(): Promise<void> } {
    const { drive } = this.#options
    const store = drive.open()
    return {
      write: (body) => this.#run(page, store, body),
      read: (body) => page.bring(this.#options.during(store.read(body))),
      subscribe: (listener) => {
        const one = { page, listener }
        this.#listeners.add(one)
        return () => this.#listeners.delete(one)
      },
      subscribeToErrors: (listener) => store.subscribeToErrors(listener),
      error: () => store.error(),
      close: async () => {},
      erase: () => page.bring(store.erase()),
      release: () => this.#options.during(drive.close(store)),
    }
  }

  /** Reads without triggering a scheduled fault. */
  peek<T>(body: (tables: ReadTables) => Promise<T>): Promise<T> {
    return this.#options.during(this.#own.read(body))
  }

  /** Corrupts stored rows without notifying anyone. */
  corrupt(body: (tables: Tables) => Promise<void>): Promise<void> {
    return this.#options.during(this.#own.write(body))
  }

  /** Schedules a fault for the moment when `left` more transactions, of a page or of any, are written. */
  scheduleFault(left: number, page: Page | undefined, happen: () => void): void {
    this.#scheduledFaults.push({ left, page, happen })
  }

  /** Makes the disk full after `room` more transactions. */
  fill(room: number): void {
    this.#room = room
  }

  /** Cancels all scheduled faults and makes room again. */
  calm(): void {
    this.#scheduledFaults = []
    this.#room = Number.POSITIVE_INFINITY
  }

  /**
   * The power is gone, and back. Where it goes while a transaction is being written, so many bytes at least may be
   * missing of that.
   */
  async restart(missing: number | undefined): Promise<void> {
    const { drive } = this.#options
    const tear = missing === undefined ? undefined : drive.mark()
    this.#scheduledFaults = []
    await drive.lose()
    const isTorn = tear?.(missing as number) ?? false
    this.#own = drive.open()
    this.#begun = this.#begin(isTorn)
    await this.#begun
  }

  async close(): Promise<void> {
    await this.#options.drive.lose()
  }

  #begin(isTorn: boolean): Promise<void> {
    const { watch, failed, during } = this.#options
    return during(this.#own.read((tables) => watch.begin(tables, isTorn).catch(failed)))
  }

  async #run<T>(page: Page, store: LocalStore, body: (tables: Tables) => Promise<T>): Promise<T> {
    for (;;) {
      if (!page.isRunning) await page.bring(Promise.resolve())
      const changed = new Set<TableName>()
      const run = this.#begun.then(() => store.write((tables) => this.#watched(page, tables, changed, body)))
      try {
        const value = await this.#options.during(run)
        this.#tell(changed)
        return await page.bring(Promise.resolve(value))
      } catch (error) {
        if (!(error instanceof NotNowError)) return page.bring(Promise.reject(error))
      }
    }
  }

  async #watched<T>(
    page: Page,
    tables: Tables,
    changed: Set<TableName>,
    body: (tables: Tables) => Promise<T>,
  ): Promise<T> {
    if (!page.isRunning) throw new NotNowError()
    const value = await body(noting(tables, changed))
    if (changed.size > 0) {
      if (this.#room <= 0) throw new StoreError('full')
      this.#room -= 1
      await this.#options.watch.look(tables, changed).catch(this.#options.failed)
    }
    this.#countDown(page)
    return value
  }

  #countDown(page: Page): void {
    const counted = this.#scheduledFaults.filter((fault) => fault.page === undefined || fault.page === page)
    for (const fault of counted) fault.left -= 1
    const due = counted.filter(({ left }) => left === 0)
    this.#scheduledFaults = this.#scheduledFaults.filter((fault) => !due.includes(fault))
    for (const { happen } of due) if (page.isRunning) happen()
  }

  #tell(changed: ReadonlySet<TableName>): void {
    if (changed.size === 0) return
    for (const one of this.#listeners) {
      one.page.enter(() => this.#listeners.has(one) && one.listener(changed))
    }
  }
}

/** The same tables, which note what is written to. */
function noting(tables: Tables, changed: Set<TableName>): Tables {
  const noted = <Name extends 'baseRecords' | 'outbox' | 'rejectedChanges' | 'conflicts'>(name: Name): Tables[Name] => {
    const table = tables[name]
    const note = <T>(rows: readonly T[]) => {
      if (rows.length > 0) changed.add(name)
      return rows
    }
    return {
      ...table,
      put: (rows: readonly never[]) => table.put(note(rows)),
      delete: (keys: readonly never[]) => table.delete(note(keys)),
    }
  }
  return {
    baseRecords: noted('baseRecords'),
    outbox: noted('outbox'),
    rejectedChanges: noted('rejectedChanges'),
    conflicts: noted('conflicts'),
    meta: () => tables.meta(),
    changeCounts: () => tables.changeCounts(),
    setMeta: (meta) => {
      changed.add('meta')
      return tables.setMeta(meta)
    },
    wipe: () => {
      for (const name of ['baseRecords', 'outbox', 'rejectedChanges', 'conflicts'] as const) changed.add(name)
      return tables.wipe()
    },
  }
}
