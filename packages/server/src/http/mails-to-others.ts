import type { UserNumber } from '@saldo/core'
import { HOUR_SECONDS, Throttle } from './throttle.ts'

/** The acts in an hour by which somebody mails one other person. */
const TO_ONE_PER_HOUR = 30
/** The same of acts that mail many: of HR, those with a role, and all members whom it concerns. */
const TO_MANY_PER_HOUR = 60
/** A policy mails everybody, and nobody needs many of them. */
const POLICY_POINTS = 6

/**
 * Limits how often somebody does what mails others (D19.35). The act is refused, and not only its mail left out:
 * otherwise whoever sends many would hide one.
 */
export class MailsToOthers {
  readonly #toOne = new Throttle(TO_ONE_PER_HOUR, HOUR_SECONDS)
  readonly #toMany = new Throttle(TO_MANY_PER_HOUR, HOUR_SECONDS)

  /** Counts an act that mails one person. Throws 429 after too many. */
  takeOne(by: UserNumber, person: UserNumber): Promise<void> {
    return this.#toOne.take(pairOf(by, person))
  }

  /** Counts an act that mails one person; false after too many, for a list of which the rest goes on. */
  allowsOne(by: UserNumber, person: UserNumber): Promise<boolean> {
    return this.#toOne.allows(pairOf(by, person))
  }

  /** Counts an act that mails many. Throws 429 after too many. */
  takeMany(by: UserNumber, what: 'roles' | 'policy'): Promise<void> {
    return this.#toMany.take(by, what === 'policy' ? POLICY_POINTS : 1)
  }

  /** Counts an act that mails many; false after too many, for a list of which the rest goes on. */
  allowsMany(by: UserNumber): Promise<boolean> {
    return this.#toMany.allows(by)
  }
}

function pairOf(by: UserNumber, person: UserNumber): string {
  return `${by} ${person}`
}
