import type { Clock, Random } from '@saldo/core'
import type { Config } from '../env.ts'
import type { EventStreams } from '../http/event-streams.ts'
import type { Throttle } from '../http/throttle.ts'
import type { Log, LogName } from '../log.ts'
import type { Meter } from '../meter.ts'
import type { RecordStore, UserId } from '../store/store.ts'
import type { UserStore } from '../store/users/users.ts'
import type { Auth } from '../users/auth.ts'

/** What the routes work with. */
export interface Services {
  records: RecordStore
  users: UserStore
  auth: Auth
  streams: EventStreams
  /** How often users may be wrong about passwords and codes of their own once they are signed in. */
  ownTries: Throttle
  clock: Clock
  random: Random
  config: Config
  log: Log
  /** What stands for a user in the log. */
  nameOf: (user: UserId) => LogName
  meter: Meter
  /** Whether the service has been told to stop. */
  isStopping: () => boolean
}
