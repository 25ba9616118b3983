import type { Clock, Random, UserNumber } from '@saldo/core'
import type { Config } from '../env.ts'
import type { EventStreams } from '../http/event-streams.ts'
import type { MailLimits } from '../http/mail-limits.ts'
import type { OwnTries } from '../http/own-tries.ts'
import type { Log } from '../log.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { Meter } from '../meter.ts'
import type { Storage } from '../store/storage.ts'
import type { RecordStore } from '../store/store.ts'
import type { TeamStore } from '../store/team/team-store.ts'
import type { UserStore } from '../store/users/users.ts'
import type { AccountTrails } from '../team/account-trail.ts'
import type { HrChanges } from '../team/hr-changes.ts'
import type { TeamMonths } from '../team/months.ts'
import type { Payroll } from '../team/payroll.ts'
import type { TeamRequests } from '../team/requests.ts'
import type { UserAccountActs } from '../users/user-account-acts.ts'
import type { UserParts } from '../users/user-parts.ts'
import type { Webhooks } from '../webhooks/webhooks.ts'

/** The parts of the service that routes use. */
export interface RouteContext extends UserParts {
  records: RecordStore
  users: UserStore
  acts: UserAccountActs
  webhooks: Webhooks
  team: TeamStore
  requests: TeamRequests
  months: TeamMonths
  hrChanges: HrChanges
  accountTrails: AccountTrails
  payroll: Payroll
  streams: EventStreams
  mailer: Mailer
  storage: Storage
  /** Limits wrong passwords and codes of signed-in users. */
  ownTries: OwnTries
  mailLimits: MailLimits
  clock: Clock
  random: Random
  config: Config
  /** Identifies the running program. */
  build: string
  log: Log
  /** Returns the pseudonym of a user in the log. */
  nameOf: (user: UserNumber) => string
  meter: Meter
  isStopping: () => boolean
}
