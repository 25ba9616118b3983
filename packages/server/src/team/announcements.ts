import { dateInZone, isMemberOn, isWithin, type UserNumber } from '@saldo/core'
import type { TeamSentence } from '../mail/team-news.ts'
import { hrsOn } from '../store/team/hr-grants.ts'
import type { OwnCompany, TeamStore } from '../store/team/team-store.ts'
import type { AuthOptions } from '../users/auth-options.ts'
import { greetedName, languageOf } from '../users/user-accounts.ts'

type RoleSentence = Extract<TeamSentence, { role: unknown }>

/** The changes after which a role is in force, unless its person lacks a key (D24.9). */
const takesEffect: readonly TeamNews['what'][] = ['role_given', 'role_confirmed', 'hr_replaced']

/** One change to announce, with whom it concerns besides HR. */
export type TeamNews =
  | (Omit<RoleSentence, 'person' | 'effect'> & { user: UserNumber; path: string })
  | (Extract<TeamSentence, { what: 'policy_changed' | 'group_opened' }> & { user?: never; path: string })
  | (Omit<Extract<TeamSentence, { what: 'membership_offered' }>, 'lacksProof'> & { user: UserNumber; path: string })

/**
 * Tells members and HR by mail of what changes in their company, each with one mail (D24.5, D25.9), in their language
 * or that of the service (D24.21).
 */
export class TeamAnnouncements {
  readonly #options: AuthOptions
  readonly #store: TeamStore

  constructor(options: AuthOptions, store: TeamStore) {
    this.#options = options
    this.#store = store
  }

  /** Sends the mails after the response. */
  later(company: OwnCompany, news: readonly TeamNews[]): void {
    if (news.length > 0) this.#options.mailer?.later(() => this.send(company, news))
  }

  /** Sends the mails one after another. */
  async send({ companyId, companyName }: OwnCompany, news: readonly TeamNews[]): Promise<void> {
    const { mailer, users } = this.#options
    if (!mailer?.isOn || news.length === 0) return
    const newsByUser = await this.#newsByUser(companyId, news)
    const named = news.flatMap(({ user }) => user ?? [])
    const [people, strong] = [await this.#store.names(named, companyId), await this.#store.strongOf(named)]
    const hrs = hrsOn(await this.#store.grants(companyId), dateInZone(this.#options.clock.now(), 'UTC'))
    const sentenceTo = (reader: UserNumber, each: TeamNews): TeamSentence => {
      if (each.what === 'membership_offered') {
        return { ...each, lacksProof: people.get(each.user)?.isConfirmed === false }
      }
      if (!('role' in each)) return each
      // Nobody else hears how somebody signs in, and a sentence that is left out would say it too (D24.9).
      const hearsOfKeys = takesEffect.includes(each.what) && (reader === each.user || hrs.includes(reader))
      const effect = hearsOfKeys ? (strong.has(each.user) ? 'in_force' : 'lacks_key') : null
      return { ...each, person: people.get(each.user)?.name ?? '', effect }
    }
    for (const [id, own] of newsByUser) {
      const user = await users.byId(id)
      if (!user || user.deactivated_at !== null) continue
      const letter = { kind: 'team', name: greetedName(user), company: companyName, url: mailer.url() } as const
      await mailer.send(
        user.email,
        { ...letter, news: own.map((each) => sentenceTo(id, each)) },
        languageOf(user, mailer.companyLanguage),
      )
    }
  }

  /** Sends one mail to one user after the response or the commit. */
  tell({ companyName }: OwnCompany, to: UserNumber, news: readonly TeamSentence[]): void {
    const { mailer, users } = this.#options
    if (!mailer?.isOn) return
    mailer.later(async () => {
      const user = await users.byId(to)
      if (!user || user.deactivated_at !== null) return
      const letter = { kind: 'team', name: greetedName(user), company: companyName, url: mailer.url(), news } as const
      await mailer.send(user.email, letter, languageOf(user, mailer.companyLanguage))
    })
  }

  /** Returns the news of each user: HR gets all, the person theirs, and members those of roles over them. */
  async #newsByUser(companyId: number, news: readonly TeamNews[]): Promise<Map<UserNumber, TeamNews[]>> {
    const today = dateInZone(this.#options.clock.now(), 'UTC')
    const hrs = hrsOn(await this.#store.grants(companyId), today)
    const members = (await this.#store.memberships(companyId)).filter((membership) => isMemberOn(membership, today))
    const newsByUser = new Map<UserNumber, TeamNews[]>()
    for (const each of news) {
      const isForMembers = each.what !== 'role_waits' && each.what !== 'membership_offered'
      const isConcerned = (path: string) =>
        each.what === 'group_opened' ? path === each.path : isWithin(path, each.path)
      const concerned = isForMembers ? members.filter(({ path }) => isConcerned(path)) : []
      const users = [
        ...(each.what === 'membership_offered' ? [] : hrs),
        ...(each.user === undefined ? [] : [each.user]),
        ...concerned.map(({ user }) => user),
      ]
      for (const user of new Set(users)) newsByUser.set(user, [...(newsByUser.get(user) ?? []), each])
    }
    return newsByUser
  }
}
