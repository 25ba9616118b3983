/** The service alone can do this, and it cannot be reached. */
export class OfflineError extends Error {
  constructor() {
    super('The service cannot be reached.')
    this.name = 'OfflineError'
  }
}
