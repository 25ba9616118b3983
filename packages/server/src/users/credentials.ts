import { findUnstorable, textBetween } from '@saldo/core'
import * as v from 'valibot'

/** Length of a password, in characters. */
export const PASSWORD_LENGTH = { min: 10, max: 128 } as const

const emailMessage = 'must be an e-mail address of at most 254 characters'
const passwordMessage = `must be text of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`

/** An e-mail address, in the lower case by which users are told apart. */
export const Email = v.pipe(
  v.string(emailMessage),
  v.trim(),
  v.toLowerCase(),
  v.email(emailMessage),
  v.maxLength(254, emailMessage),
)

/** A password to set, unless it is a common one; see `isCommonPassword`. */
export const NewPassword = v.pipe(
  v.string(passwordMessage),
  v.minLength(PASSWORD_LENGTH.min, passwordMessage),
  v.maxLength(PASSWORD_LENGTH.max, passwordMessage),
)

/** A password to compare. */
export const Password = v.pipe(v.string(passwordMessage), v.maxLength(PASSWORD_LENGTH.max, passwordMessage))

/** A code of an authenticator app, or a recovery code, as somebody types it. */
export const Code = v.pipe(v.string('must be a code'), v.maxLength(64, 'must be a code'))

/** What a user calls a program's token, or a passkey. */
export const GivenName = v.pipe(
  textBetween(1, 100),
  v.check((name) => findUnstorable(name) === undefined, 'must not have a lone surrogate or NUL'),
)
