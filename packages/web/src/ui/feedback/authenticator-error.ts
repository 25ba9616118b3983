/** An authenticator gave nothing that could be used. */
export class AuthenticatorError extends Error {
  /** Of the string that says why. */
  readonly key: string

  constructor(key: string, cause: unknown) {
    super('The authenticator did not do it.', { cause })
    this.name = 'AuthenticatorError'
    this.key = key
  }
}
