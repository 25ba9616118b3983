import { hash, randomUUID } from 'node:crypto'
import {
  type AwayDates,
  type AwayPage,
  type DateRange,
  defaultPolicy,
  type EpochMs,
  instantOf,
  type LocalDate,
  type Month,
  type StoredSheet,
  type UserNumber,
} from '@saldo/core'
import type { Stores } from '../../packages/server/src/store/stores.ts'
import { TeamStore } from '../../packages/server/src/store/team/team-store.ts'
import { memberRulesOf } from '../../packages/server/src/team/member-rules.ts'
import type { Answer, Message } from './network.ts'

export const HR = { email: 'hera@example.com', password: 'correct horse battery' }
/** HR signs in with the password and one of these recovery codes, each of which counts once (D24.9). */
export const recoveryCodes: readonly string[] = Array.from({ length: 200 }, (_, n) => `HR${n}`)
/** The months that HR locks and reopens: all records of a run lie in them. */
export const months: readonly Month[] = ['2026-10', '2026-11']

/** The date on which the member joins. */
export const JOINED: LocalDate = '2026-10-01'

/** The members of a company that is founded, who have joined on a date, and the hash of the password of HR. */
export interface Founding {
  members: readonly UserNumber[]
  joined: LocalDate
  passwordHash: string
  nowMs: EpochMs
}

/** Founds a company with members and a user of HR. Returns the number of HR. */
export async function addCompany(
  { users, driver }: Stores,
  { members, joined, passwordHash, nowMs }: Founding,
): Promise<UserNumber> {
  const at = instantOf(nowMs)
  const added = await users.add({ email: HR.email, passwordHash, at })
  if (added.outcome !== 'added') throw new Error(added.outcome)
  const hr = added.user
  const policy = {
    ...defaultPolicy,
    absences: { ...defaultPolicy.absences, paid_other: 'ask' },
    ...{ lock_unsubmitted: true, hr_changes: 'apply' },
  }
  const statements: [string, (string | number)[]][] = [
    [`INSERT INTO team_groups (id, path, name, sees_members, created_at) VALUES (1, '/1/', 'Acme', 1, $1)`, [at]],
    [
      `INSERT INTO team_policies (company_id, number, from_date, policy, created_at)
       VALUES (1, 1, '2026-01-01', $1, $2)`,
      [JSON.stringify(policy), at],
    ],
    [
      `INSERT INTO team_roles (user_id, role, group_id, from_date, confirmed_at, first_confirmed_at, created_at)
       VALUES ($1, 'hr', 1, '2026-01-01', $2, $2, $2)`,
      [hr, at],
    ],
    [`INSERT INTO second_factors (user_id, sealed_key, confirmed_at) VALUES ($1, '', $2)`, [hr, at]],
    ...recoveryCodes.map((code): [string, (string | number)[]] => [
      'INSERT INTO recovery_codes (user_id, hash) VALUES ($1, $2)',
      [hr, hash('sha256', code, 'base64url')],
    ]),
  ]
  for (const [text, params] of statements) await driver.run(text, params)
  const store = new TeamStore(driver)
  for (const member of members) {
    await driver.run(
      `INSERT INTO memberships (user_id, group_id, from_date, accepted_on, created_at) VALUES ($1, 1, $2, $2, $3)`,
      [member, joined, at],
    )
    const rules = JSON.stringify(await memberRulesOf(store, member))
    await driver.run('UPDATE counters SET member_rules = $2 WHERE user_id = $1', [member, rules])
  }
  return hr
}

/** Asks the service. */
export type Ask = (request: Pick<Message, 'method' | 'path' | 'headers' | 'body'>) => Promise<Answer>

/** The HR of the company, who signs in whenever the service knows the session no longer. */
export class Hr {
  readonly user: UserNumber
  readonly member: UserNumber
  readonly #ask: Ask
  #cookie = ''
  #signIns = 0

  constructor(user: UserNumber, member: UserNumber, ask: Ask) {
    this.user = user
    this.member = member
    this.#ask = ask
  }

  /** A request on its way to the service. */
  message(method: string, path: string, content?: object): Message {
    return {
      ...{ computer: 'program', device: 'program', user: this.user, method, path },
      headers: { cookie: this.#cookie, 'content-type': 'application/json' },
      body: content && JSON.stringify(content),
      ...{ page: undefined, waiting: undefined },
    }
  }

  /** True if a request is of HR. */
  isOf({ headers }: Message): boolean {
    return headers.cookie !== undefined
  }

  /** Asks at once; a session that has ended begins anew. */
  async call(method: string, path: string, content?: object): Promise<Answer> {
    const answer = await this.#ask(this.message(method, path, content))
    if (answer.status !== 401) return answer
    const code = recoveryCodes[this.#signIns++]
    const signedIn = await this.#ask(this.message('POST', '/api/auth/sign-in', { ...HR, code }))
    if (signedIn.status !== 200) throw new Error(`HR cannot sign in: ${signedIn.text}`)
    this.#cookie = signedIn.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
    return this.#ask(this.message(method, path, content))
  }

  /** Returns the stored sheet of a locked month; undefined for another. */
  async storedSheet(month: Month): Promise<StoredSheet | undefined> {
    const { status, text } = await this.call('GET', `/api/team/members/${this.member}/months/${month}`)
    if (status !== 200) throw new Error(`HR does not see the sheet of ${month}: ${text}`)
    const { is_stored, sheet } = JSON.parse(text) as { is_stored: boolean; sheet: StoredSheet | null }
    return is_stored && sheet ? sheet : undefined
  }

  /** Returns the dates on which HR sees the member away. */
  async awayDates({ from, to }: DateRange): Promise<AwayDates[]> {
    const { status, text } = await this.call('GET', `/api/team/away?from=${from}&to=${to}`)
    if (status !== 200) throw new Error(`HR does not see who is away: ${text}`)
    const { items } = JSON.parse(text) as AwayPage
    return items.find(({ user_id }) => user_id === this.member)?.dates ?? []
  }

  /** Decides a request that waits. Returns its id if it was approved. */
  async decide(index: number, isApproving: boolean, overwrite: boolean): Promise<string | undefined> {
    const { items } = JSON.parse((await this.call('GET', '/api/team/inbox')).text) as {
      items: { request_id: string }[]
    }
    const item = items[index % Math.max(1, items.length)]
    if (!item) return undefined
    const path = `/api/team/requests/${this.member}/${item.request_id}`
    const found = await this.call('GET', path)
    if (found.status !== 200) return undefined
    const { digest } = JSON.parse(found.text) as { digest: string }
    const outcome = isApproving ? { outcome: 'approved', overwrite } : { outcome: 'declined', reason: 'No' }
    const { status } = await this.call('POST', `${path}/decision`, { digest, ...outcome })
    return isApproving && status === 200 ? item.request_id : undefined
  }

  /** Changes a record of the member at once (D28.1). */
  change(change: object): Message {
    const asked = { id: randomUUID(), reason: 'The simulation changes it', apply: true, changes: [change] }
    return this.message('POST', `/api/team/members/${this.member}/changes`, asked)
  }
}
