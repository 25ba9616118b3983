import type { UserNumber } from '@saldo/core'
import { DAY_SECONDS, HOUR_SECONDS, Throttle } from './throttle.ts'

/** The acts in an hour by which somebody mails one address. */
const TO_ONE_PER_HOUR = 30
/** The same of acts that mail many: of HR, those with a role, and all members whom it concerns. */
const TO_MANY_PER_HOUR = 60
/** A policy mails everybody, and nobody needs many of them. */
const POLICY_POINTS = 6
/** An address gets so many mails with an invitation again, whoever of the company sends them. */
const INVITATIONS_AGAIN_PER_HOUR = 3
/** The mails in an hour to a user about keys that they have made or ended. */
const OWN_PER_HOUR = 30
/** The links in a day to other addresses for which a user asks, and those to an unconfirmed one for its user. */
const LINKS_PER_DAY = 5
/** The links in an hour to an address, from users whose own it is not. */
const LINKS_TO_ADDRESS_PER_HOUR = 3

/**
 * Limits how often somebody does what mails others (D19.34, D19.35). Mails are counted by the address, which stays when
 * an account is made anew, and only where one is sent. The act is refused, and not only its mail left out: otherwise
 * whoever sends many would hide one. What needs a proof has points of its own, so that a session alone uses up nothing
 * that its user needs.
 */
export class MailLimits {
  readonly #toOne = new Throttle(TO_ONE_PER_HOUR, HOUR_SECONDS)
  readonly #roles = new Throttle(TO_MANY_PER_HOUR, HOUR_SECONDS)
  readonly #rules = new Throttle(TO_MANY_PER_HOUR, HOUR_SECONDS)
  readonly #invitationsAgain = new Throttle(INVITATIONS_AGAIN_PER_HOUR, HOUR_SECONDS)
  readonly #own = new Throttle(OWN_PER_HOUR, HOUR_SECONDS)
  readonly #linksOfUser = new Throttle(LINKS_PER_DAY, DAY_SECONDS)
  readonly #linksToAddress = new Throttle(LINKS_TO_ADDRESS_PER_HOUR, HOUR_SECONDS)
  readonly #confirmations = new Throttle(LINKS_PER_DAY, DAY_SECONDS)

  /** Counts an act that mails one address. Throws 429 after too many. */
  takeOne(by: UserNumber, address: string): Promise<void> {
    return this.#toOne.take(pairOf(by, address))
  }

  /** Counts an act that mails one address; false after too many, for a list of which the rest goes on. */
  allowsOne(by: UserNumber, address: string): Promise<boolean> {
    return this.#toOne.allows(pairOf(by, address))
  }

  /** Counts an act that mails one address and ends access, which nothing refuses. */
  countOne(by: UserNumber, address: string): Promise<void> {
    return this.#toOne.spend(pairOf(by, address))
  }

  /** Counts a change of roles, which mails many. Throws 429 after too many. */
  takeRoles(by: UserNumber): Promise<void> {
    return this.#roles.take(by)
  }

  /** Counts a policy, which mails all members. Throws 429 after too many. */
  takePolicy(by: UserNumber): Promise<void> {
    return this.#rules.take(by, POLICY_POINTS)
  }

  /** Counts what a change of a group mails to many; false after too much, for a list of which the rest goes on. */
  allowsGroup(by: UserNumber, count: number): Promise<boolean> {
    return this.#rules.allows(by, count)
  }

  /** Counts an invitation that is mailed again; false after too many. */
  allowsInvitationAgain(address: string): Promise<boolean> {
    return this.#invitationsAgain.allows(address)
  }

  /** Counts a key that a user makes, and gets a mail about. Throws 429 after too many. */
  takeOwn(user: UserNumber): Promise<void> {
    return this.#own.take(user)
  }

  /** Counts a change by which a user ends access, which nothing refuses; false after too many, which mails none. */
  allowsOwn(user: UserNumber): Promise<boolean> {
    return this.#own.allows(user)
  }

  /** Counts a link to an address that is not the user's. Throws 429 after too many of the user, or to the address. */
  async takeLink(user: UserNumber, address: string): Promise<void> {
    await this.#linksOfUser.take(user)
    await this.#linksToAddress.take(address)
  }

  /** Counts a link that confirms the own address. Throws 429 after too many. */
  takeConfirmation(address: string): Promise<void> {
    return this.#confirmations.take(address)
  }

  /** Counts the link that confirms the address of whoever signs up; false after too many, which mails none. */
  allowsConfirmation(address: string): Promise<boolean> {
    return this.#confirmations.allows(address)
  }
}

function pairOf(by: UserNumber, address: string): string {
  return `${by} ${address}`
}
