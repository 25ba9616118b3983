// A file without imports: the command knows these errors without loading the service.

/** A setting is not valid. The message is one line for the person who starts the service. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

/** The engine cannot do the work now, but may later. Nothing of the transaction was kept, or its outcome is unknown. */
export class UnavailableError extends Error {
  readonly reason: 'storage_full' | 'unavailable'

  constructor(reason: 'storage_full' | 'unavailable', options: { cause: unknown }) {
    super(
      reason === 'storage_full' ? 'there is no space left for the database' : 'the database is not available',
      options,
    )
    this.name = 'UnavailableError'
    this.reason = reason
  }
}

/** The transaction came after the database was closed, because the service stops. */
export class ClosedError extends UnavailableError {
  constructor() {
    super('unavailable', { cause: new Error('the database is closed') })
    this.name = 'ClosedError'
  }
}

/** The database cannot be opened. The message is one line for the operator. */
export class OpenError extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options)
    this.name = 'OpenError'
  }
}
