import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import type { RequestHeaders } from '../http/request-headers.ts'
import type { UserId } from '../store/store.ts'
import { Password } from '../users/credentials.ts'
import type { Services } from './services.ts'

/** What a user repeats before that which somebody at their open browser must not do. */
export const Confirmation = v.object({ password: Password })

/** Ends the request with 403 where the password is wrong, and with 429 after too many that were, wherever they were asked for. */
export async function requirePassword(
  { auth, ownTries }: Pick<Services, 'auth' | 'ownTries'>,
  user: UserId,
  password: string,
  headers: RequestHeaders,
): Promise<void> {
  await ownTries.take(String(user))
  if (!(await auth.isPassword(password, headers))) throw wrongPassword()
  await ownTries.reset(String(user))
}

export function wrongPassword(): ProblemError {
  return new ProblemError('forbidden', 'The password is wrong.')
}
