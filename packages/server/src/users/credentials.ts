import { findUnstorable, textBetween } from '@saldo/core'
import * as v from 'valibot'

/** The length of a password, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const

const emailMessage = 'must be an e-mail address of at most 254 characters'
const passwordMessage = `must have ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`

/** An e-mail address, in lower case. */
export const Email = v.pipe(
  v.string(emailMessage),
  v.trim(),
  v.toLowerCase(),
  v.email(emailMessage),
  v.maxLength(254, emailMessage),
)

/** A new password. Common ones are refused by `isCommonPassword`. */
export const NewPassword = v.pipe(
  v.string(passwordMessage),
  v.minLength(PASSWORD_LENGTH.min, passwordMessage),
  v.maxLength(PASSWORD_LENGTH.max, passwordMessage),
)

/** A password to check. */
export const Password = v.pipe(v.string(passwordMessage), v.maxLength(PASSWORD_LENGTH.max, passwordMessage))

/** A code of an authenticator app or a recovery code, as a person types it. */
export const Code = v.pipe(v.string('must be a code'), v.maxLength(64, 'must be a code'))

/** The name that a user gives a token or a passkey. */
export const GivenName = v.pipe(
  textBetween(1, 100),
  v.check((name) => findUnstorable(name) === undefined, 'must not contain NUL or a lone surrogate'),
)
