/** A field of the form that signs in or up. */
export type FieldName = 'name' | 'email' | 'password' | 'setupCode'

/** The shortest new password, in characters. */
export const MIN_PASSWORD_LENGTH = 10

/**
 * Returns the keys of the texts for fields that are wrong at first sight. Only a new user has a name, and only a new
 * password has rules.
 */
export function fieldProblems(
  { name, email, password }: { name: string; email: string; password: string },
  isNew: boolean,
): Partial<Record<FieldName, string>> {
  const isEmail = /^[^\s@]+@[^\s@.]+(?:\.[^\s@.]+)+$/.test(email.trim())
  const isLong = password.length >= (isNew ? MIN_PASSWORD_LENGTH : 1)
  return {
    ...(isNew && name.trim() === '' && { name: 'signIn.noName' }),
    ...(!isEmail && { email: 'signIn.incompleteEmail' }),
    ...(!isLong && { password: isNew ? 'signIn.shortPassword' : 'signIn.noPassword' }),
  }
}

/** Returns the set-up code in the address that the service prints at its start (D8.20), if any. */
export function setupCodeIn(hash: string): string | undefined {
  return new URLSearchParams(hash.slice(1)).get('setup') ?? undefined
}
