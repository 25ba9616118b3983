import { type Clock, DEMO, instantOf, type Random, wireLimits } from '@saldo/core'
import { JobRunner } from '../account/jobs.ts'
import type { RecordStore } from '../store/store.ts'
import type { UserStore } from '../store/users/users.ts'
import { push } from '../sync/push.ts'
import type { PasswordHashing } from '../users/password-hashing.ts'
import { demoAccount } from './demo-account.ts'
import { randomNumbers } from './random-numbers.ts'

const SEED = 7_253

interface DemoOptions {
  users: UserStore
  records: RecordStore
  hashing: PasswordHashing
  clock: Clock
  random: Random
  /** The stored bytes from which on the account can only delete. */
  quotaBytes: number
}

/**
 * Replaces everything in the database of a demo by a new demo account (D23.2). The account is filled and closed under
 * an address that nobody knows, and takes the place of the one before in a single transaction. So a reset that is cut
 * off leaves the earlier account, and the next one removes what it left.
 */
export async function resetDemo({ users, records, hashing, clock, random, quotaBytes }: DemoOptions): Promise<void> {
  const nowMs = clock.now()
  const at = instantOf(nowMs)
  const added = await users.add({
    email: `${random.uuid()}@demo.invalid`,
    isConfirmed: true,
    passwordHash: await hashing.hash(DEMO.password),
    role: 'user',
    at,
  })
  if (added.outcome !== 'added') throw new Error(`no account for the demo: ${added.outcome}`)
  const { user } = added
  const { knownDays } = await import('@saldo/core/public-holidays')
  const changes = demoAccount(nowMs, knownDays, randomNumbers(SEED)).map(({ kind, id, content }) => ({
    kind,
    op: 'upsert',
    record: { ...content, id, updated_at: at },
  }))
  for (let sent = 0; sent < changes.length; sent += wireLimits.push_changes) {
    const batch = {
      device: undefined,
      changes: changes.slice(sent, sent + wireLimits.push_changes),
      entriesOnly: false,
    }
    const { results } = await push(records, batch, { user, nowMs, quotaBytes })
    const refused = results.find(({ status }) => status !== 'applied')
    if (refused) throw new Error(`a record of the demo cannot be stored: ${JSON.stringify(refused)}`)
  }
  const onFailure = (_user: unknown, error: unknown) => {
    throw error
  }
  await new JobRunner({ store: records, clock, onFailure }).runDue()
  await users.keepOnly(user, DEMO.email)
}
