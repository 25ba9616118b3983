import type { TeamFacts, UserNumber, ZoneName } from '@saldo/core'

/** The projection of a member's records that team pages read (D30.1). */
export interface StoredFacts extends TeamFacts {
  user: UserNumber
  company: number
  /** The version of the user's records from which they were made. */
  version: number
  timeZone: ZoneName
}

/** The part of facts that says what date it is for a user, and whether they are away. */
export type Presence = Pick<StoredFacts, 'user' | 'timeZone' | 'absences'>
