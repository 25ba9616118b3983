/** Words that stand to reason here, which lists of the world's passwords do not have. */
const CONTEXT_WORDS = [
  'saldo',
  'arbeitszeit',
  'arbeitszeitkonto',
  'zeiterfassung',
  'stundenzettel',
  'stechuhr',
  'worktime',
  'workingtime',
  'timesheet',
  'timetracking',
  'timetracker',
  'timeclock',
]

/** What is shorter says nothing about what stands around it. */
const SHORTEST_WORD = 4

/** What is wrong with it, in a sentence that begins with what is. */
export const COMMON_PASSWORD = 'must not be one of the passwords that everybody tries first'

let known: Promise<ReadonlySet<string>> | undefined

/**
 * Whether a password is one of those that are tried first: one of the 49,000 most common ones or a word of what Saldo
 * is about, in any case, and with digits, signs and spaces around it. Any other is let be, whatever it is made of.
 */
export async function isCommonPassword(password: string): Promise<boolean> {
  known ??= readKnown()
  const passwords = await known
  const lower = password.toLowerCase()
  const [word = '', ...others] = lower.split(/[^\p{L}]+/u).filter((part) => part !== '')
  const isOneWord = others.length === 0 && word.length >= SHORTEST_WORD
  return passwords.has(lower) || (isOneWord && passwords.has(word))
}

/** Four megabytes, which processes in which nobody sets a password do without. */
async function readKnown(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set([...dictionary['passwords-common'], ...CONTEXT_WORDS])
}
