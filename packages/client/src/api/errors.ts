import type { UserNumber } from '@saldo/core'

/** The operation would leave or delete changes that the service does not have. */
export class UnsentChangesError extends Error {
  /** The number of records with such changes. */
  readonly unsent: number

  constructor(unsent: number) {
    super(`${unsent} changes have not been sent yet`)
    this.name = 'UnsentChangesError'
    this.unsent = unsent
  }
}

/** The credentials are of another user, who has a device of their own. */
export class OtherUserError extends Error {
  /** The number of the user as whom the browser is signed in now. */
  readonly user: UserNumber

  constructor(user: UserNumber) {
    super('This is the account of another user.')
    this.name = 'OtherUserError'
    this.user = user
  }
}
