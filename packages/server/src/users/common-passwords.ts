/** Words about Saldo that lists of common passwords do not contain. */
const CONTEXT_WORDS =
  'saldo arbeitszeit arbeitszeitkonto zeiterfassung stundenzettel stechuhr worktime workingtime timesheet ' +
  'timetracking timetracker timeclock'

/** A shorter word does not make the digits and signs around it guessable. */
const MIN_WORD_LENGTH = 4

/** The message for a common password; its subject is the password. */
export const COMMON_PASSWORD = 'must not be a common password'

let known: Promise<ReadonlySet<string>> | undefined

/**
 * True if a password is one of the 49,000 most common ones or a word about Saldo, in upper or lower case, with or
 * without digits, signs and spaces around it. There are no other rules about the characters of a password.
 */
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
