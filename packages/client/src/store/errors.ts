/** Why a local store does not do what it is asked to. */
export type StoreTrouble =
  /** `close` was called. */
  | 'closed'
  /** Another opening of the same store has it: another process, or a later one of this process. */
  | 'inUse'
  /** It was made for another user. */
  | 'foreign'
  /** What is kept cannot be read whole. */
  | 'damaged'
  /** The disk, or the browser's quota, is full. */
  | 'full'
  /** An older tab holds the database open and keeps it from being upgraded; asking again later may help. */
  | 'blocked'
  /** A newer program upgraded the database, or wants to: this one has to be loaded anew. */
  | 'outdated'
  /** The browser closed or deleted the database, or another tab deleted it. */
  | 'gone'
  /** There is no IndexedDB, or it is forbidden. */
  | 'unavailable'
  /** Something else: see the cause. */
  | 'failed'

const messages: Record<StoreTrouble, string> = {
  closed: 'The local store is closed.',
  inUse: 'The local store is open elsewhere.',
  foreign: 'The local store is another user’s.',
  damaged: 'The local store is damaged.',
  full: 'There is no room left for the local store.',
  blocked: 'The local store waits for an older tab to be closed.',
  outdated: 'A newer version of this program has the local store: reload.',
  gone: 'The local store was closed or deleted elsewhere.',
  unavailable: 'This browser offers no local store.',
  failed: 'The local store failed.',
}

/** The local store could not run a transaction: nothing of it was kept. */
export class StoreError extends Error {
  readonly trouble: StoreTrouble

  constructor(trouble: StoreTrouble, options: { cause?: unknown; detail?: string } = {}) {
    const { detail, ...cause } = options
    super([messages[trouble], ...(detail === undefined ? [] : [detail])].join(' '), cause)
    this.name = 'StoreError'
    this.trouble = trouble
  }
}
