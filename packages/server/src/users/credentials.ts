import { isLine, textBetween } from '@saldo/core'
import * as v from 'valibot'

const PASSWORD_LENGTH = { min: 10, max: 128 } as const

/** Words about Saldo that lists of common passwords do not contain. */
const CONTEXT_WORDS =
  'saldo arbeitszeit arbeitszeitkonto zeiterfassung stundenzettel stechuhr worktime workingtime timesheet ' +
  'timetracking timetracker timeclock'

/** A shorter word does not make the digits and signs around it guessable. */
const MIN_WORD_LENGTH = 4

const emailMessage = 'must be an e-mail address of at most 254 characters'
const passwordMessage = `must have ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`

/**
 * An e-mail address in the one form in which addresses are stored and compared: ASCII, in lower case. Other letters are
 * refused before the case is folded, because some fold to ASCII, such as the Kelvin sign to "k".
 */
export const Email = v.pipe(
  v.string(emailMessage),
  v.trim(),
  v.regex(/^[\x21-\x7e]*$/, emailMessage),
  v.toLowerCase(),
  v.email(emailMessage),
  v.maxLength(254, emailMessage),
)

/** A new password. `isCommonPassword` refuses common ones. */
export const NewPassword = v.pipe(
  v.string(passwordMessage),
  v.minLength(PASSWORD_LENGTH.min, passwordMessage),
  v.maxLength(PASSWORD_LENGTH.max, passwordMessage),
)

/** A password to check. */
export const Password = v.pipe(v.string(passwordMessage), v.maxLength(PASSWORD_LENGTH.max, passwordMessage))

/** A code of an authenticator app or a recovery code, as a person types it. */
export const Code = v.pipe(v.string('must be a code'), v.maxLength(64, 'must be a code'))

/** The name that a user gives a token, a passkey or a feed: a line of 1 to 100 characters (D1.39). */
export const GivenName = v.pipe(textBetween(1, 100), v.check(isLine, 'must be one line of text'))

/** The message for a common password; its subject is the password. */
export const COMMON_PASSWORD = 'must not be a common password'

let known: Promise<ReadonlySet<string>> | undefined

/** True for the 49,000 most common passwords and words about Saldo, with signs and digits around them or not. */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= readKnown()
  const passwords = await known
  const lower = password.toLowerCase()
  const [word = '', ...others] = lower.split(/[^\p{L}]+/u).filter((part) => part !== '')
  const isOneWord = others.length === 0 && word.length >= MIN_WORD_LENGTH
  return passwords.has(lower) || (isOneWord && passwords.has(word))
}

/** Takes 4 MB, which only processes need in which somebody sets a password. */
async function readKnown(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set([...dictionary['passwords-common'], ...CONTEXT_WORDS.split(' ')])
}
