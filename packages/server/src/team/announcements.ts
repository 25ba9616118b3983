import { dateInZone, isMemberOn, isWithin, TEAM_PAGE, type UserNumber } from '@saldo/core'
import type { TeamSentence } from '../mail/team-news.ts'
import { hrsOn } from '../store/team/hr-grants.ts'
import type { OwnCompany, TeamStore } from '../store/team/team-store.ts'
import { mapInSlices } from '../time-slice.ts'
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

/** A mail lists so much, and says how much more there is: a request for many has as many items. */
const MAX_LISTED = TEAM_PAGE

/** The changes that concern a user: those that the mail lists, and how many more there are. */
interface OwnNews {
  listed: TeamNews[]
  more: number
}

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
    const hrs = hrsOn(await this.#store.grants(companyId), dateInZone(this.#options.clock.now(), 'UTC'))
    const newsByUser = await this.#newsByUser(companyId, hrs, news)
    const named = news.flatMap(({ user }) => user ?? [])
    const [people, strong] = [await this.#store.names(named, companyId), await this.#store.strongOf(named)]
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
    for (const [id, { listed, more }] of newsByUser) {
      const user = await users.byId(id)
      if (!user || user.deactivated_at !== null) continue
      const letter = { kind: 'team', name: greetedName(user), company: companyName, url: mailer.url() } as const
      const sentences = listed.map((each) => sentenceTo(id, each))
      if (more > 0) sentences.push({ what: 'more_news', count: more })
      await mailer.send(user.email, { ...letter, news: sentences }, languageOf(user, mailer.companyLanguage))
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

  /**
   * Returns the news of each user: HR gets all, the person theirs, and members those of roles over them. Thousands of
   * roles can end with a membership, and concern thousands: others go first meanwhile.
   */
  async #newsByUser(
    companyId: number,
    hrs: readonly UserNumber[],
    news: readonly TeamNews[],
  ): Promise<Map<UserNumber, OwnNews>> {
    const today = dateInZone(this.#options.clock.now(), 'UTC')
    const members = (await this.#store.memberships(companyId)).filter((membership) => isMemberOn(membership, today))
    const membersByScope = new Map<string, UserNumber[]>()
    const concernedBy = ({ what, path: ofNews }: TeamNews): readonly UserNumber[] => {
      if (what === 'role_waits' || what === 'membership_offered') return []
      const isOfGroup = what === 'group_opened'
      const scope = `${isOfGroup} ${ofNews}`
      const known = membersByScope.get(scope)
      if (known) return known
      const concerned = members.filter(({ path }) => (isOfGroup ? path === ofNews : isWithin(path, ofNews)))
      const users = concerned.map(({ user }) => user)
      membersByScope.set(scope, users)
      return users
    }
    const newsByUser = new Map<UserNumber, OwnNews>()
    await mapInSlices(news, (each) => {
      const named = each.user === undefined ? [] : [each.user]
      const users = [...(each.what === 'membership_offered' ? [] : hrs), ...named, ...concernedBy(each)]
      for (const user of new Set(users)) {
        const own = newsByUser.get(user) ?? { listed: [], more: 0 }
        newsByUser.set(user, own)
        if (own.listed.length < MAX_LISTED) own.listed.push(each)
        else own.more += 1
      }
    })
    return newsByUser
  }
}
