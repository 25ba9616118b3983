import { type Check, runChecks, type Selection } from '../check.ts'
import type { CheckReport } from '../report.ts'
import { accountChecks } from './account-checks.ts'
import { connectionChecks } from './connections.ts'
import { holidayChecks } from './holidays.ts'
import { programChecks } from './programs.ts'
import { pullChecks } from './pull.ts'
import { pushChecks } from './push.ts'
import { recordChecks } from './records.ts'
import { retentionChecks } from './retention.ts'
import { ServiceSession, type ServiceTarget } from './session.ts'
import { teamChecks } from './team.ts'
import { userChecks } from './users.ts'
import { valueChecks } from './values.ts'

/** The checks of services, in the order in which they run: those that advance the clock come last. */
export const serviceChecks: readonly Check<ServiceSession>[] = [
  ...valueChecks,
  ...recordChecks,
  ...pushChecks,
  ...pullChecks,
  ...userChecks,
  ...connectionChecks,
  ...programChecks,
  ...accountChecks,
  ...holidayChecks,
  ...teamChecks,
  ...retentionChecks,
]

/** The service cannot be reached or rejects the token. The message is one line. */
export class TargetError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TargetError'
  }
}

/**
 * Checks a running service against the protocol from outside and removes the records that it creates. Nothing else may
 * write to the account meanwhile. Throws `TargetError`.
 */
export async function checkService(target: ServiceTarget, selection: Selection = {}): Promise<CheckReport> {
  await requireReachable(target)
  const session = new ServiceSession(target, selection.signal)
  const within = async (run: (session: ServiceSession) => Promise<void>) => {
    try {
      await run(session)
    } finally {
      await session.cleanUp()
    }
  }
  const results = await runChecks(serviceChecks, within, selection)
  return { subject: target.url, results, leftovers: session.leftovers }
}

async function requireReachable({ url, token }: ServiceTarget): Promise<void> {
  const answer = await fetch(`${url}/api/sync/pull?limit=1`, { headers: { authorization: `Bearer ${token}` } }).catch(
    (cause: unknown) => {
      throw new TargetError(`no service answers at ${url}`, { cause })
    },
  )
  await answer.body?.cancel()
  if (answer.status === 401) throw new TargetError(`the service at ${url} rejects the token`)
}
