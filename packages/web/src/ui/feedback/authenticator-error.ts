/** An authenticator failed or the user cancelled. */
export class AuthenticatorError extends Error {
  /** The key of the text with the reason. */
  readonly key: string

  constructor(key: string, cause: unknown) {
    super('The authenticator did not do it.', { cause })
    this.name = 'AuthenticatorError'
    this.key = key
  }
}
