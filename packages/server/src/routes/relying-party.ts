import { ProblemError } from '../http/problem.ts'
import type { RequestHeaders } from '../http/request-headers.ts'
import type { Auth } from '../users/auth.ts'
import type { RelyingParty } from '../users/passkeys.ts'

/** For whom passkeys are made and used here; ends the request with 409 where that cannot be. */
export function requireParty({ passkeys }: Auth, headers: RequestHeaders): RelyingParty {
  const party = passkeys.relyingParty(headers)
  if (party) return party
  throw new ProblemError('conflict', 'Passkeys need a service that knows its public URL, with a name and not a number.')
}
