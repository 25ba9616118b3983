import { type Identity, nameOfKey } from '../users/identification.ts'
import { QUARTER_HOUR_SECONDS, Throttle } from './throttle.ts'

/** All sessions of a user may fail as often as this many of them alone. */
const SESSIONS = 5

/**
 * Limits the wrong passwords and codes of signed-in users, for each session and for all of a user: whoever guesses in
 * one of them leaves the owner, in another, tries to change the password (D1.38).
 */
export class OwnTries {
  readonly #ofSessions: Throttle
  readonly #ofUsers: Throttle

  /** `perSession` failures are allowed in a quarter of an hour. */
  constructor(perSession: number) {
    this.#ofSessions = new Throttle(perSession, QUARTER_HOUR_SECONDS)
    this.#ofUsers = new Throttle(SESSIONS * perSession, QUARTER_HOUR_SECONDS)
  }

  /** Runs `work`, and counts it where it throws. Throws 429 after too many failures. */
  attempt<T>({ user, by }: Pick<Identity, 'user' | 'by'>, work: () => Promise<T>): Promise<T> {
    return this.#ofSessions.attempt(nameOfKey(by), () => this.#ofUsers.attempt(user, work))
  }
}
