import { LAST_DATE, type LocalDate, type MemberRules, type TeamRole, type UserNumber } from '@saldo/core'
import { onTestFinished } from 'vitest'
import type { SqlDriver } from '../../src/store/sql.ts'
import { startTestService, type TestService } from '../harness.ts'
import { signUp } from '../http/browser.ts'

const AT = '2026-11-01T12:00:00.000Z'
const FIRST: LocalDate = '2026-01-01'

export interface Dates {
  from?: LocalDate
  until?: LocalDate | null
  acceptedOn?: LocalDate | null
}

export interface Member {
  user: UserNumber
  call: TestService['call']
  cookies: ReadonlyMap<string, string>
}

/** A service, or one that runs, with a company, whose groups, members and roles are put into its tables. */
export async function startCompany(running?: TestService) {
  const service = running ?? (await startTestService())
  if (!running) onTestFinished(() => service.close())
  const write = <T>(body: (driver: SqlDriver) => Promise<T>): Promise<T> => service.beside(({ driver }) => body(driver))
  const run = (text: string, params: (string | number | null)[]) => write((driver) => driver.run(text, params))
  const all = (text: string) => write((driver) => driver.all(text, []))

  /** Adds a group, or a company without a parent; returns it with its path. */
  async function group(name: string, parent?: { id: number; path: string }, seesMembers = true) {
    const rows = await write((driver) =>
      driver.write((sql) =>
        sql.all<{ id: number }>(
          `INSERT INTO team_groups (parent_id, path, name, sees_members, created_at)
           VALUES ($1, $2, $3, $4, $5) RETURNING id`,
          [parent?.id ?? null, `new ${name}`, name, seesMembers ? 1 : 0, AT],
        ),
      ),
    )
    const id = rows[0]?.id ?? 0
    const path = `${parent?.path ?? '/'}${id}/`
    await run('UPDATE team_groups SET path = $2 WHERE id = $1', [id, path])
    return { id, path }
  }

  /** Adds a user whose membership in a group is accepted, unless `acceptedOn` is null. */
  async function member(
    name: string,
    { id, path }: { id: number; path: string },
    { from = FIRST, until = null, acceptedOn = from }: Dates = {},
  ): Promise<Member> {
    const { call, cookies } = await signUp(service, `${name.toLowerCase()}@example.com`)
    const user = (await call('GET', '/api/me')).body.user_id as UserNumber
    await run('UPDATE users SET name = $2 WHERE id = $1', [user, name])
    await run(
      `INSERT INTO memberships (user_id, group_id, from_date, until_date, accepted_on, created_at)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [user, id, from, until, acceptedOn, AT],
    )
    const rules: MemberRules = {
      company: Number(path.split('/')[1]),
      dates: [{ from: from, to: LAST_DATE }],
      versions: [],
    }
    if (acceptedOn) await setRules(user, rules)
    return { user, call, cookies }
  }

  const setRules = (user: UserNumber, rules: MemberRules | null) =>
    run('UPDATE counters SET member_rules = $2 WHERE user_id = $1', [user, rules && JSON.stringify(rules)])

  /** Gives a confirmed role, and a second factor. */
  async function role(user: UserNumber, name: TeamRole, groupId: number, standsInFor: UserNumber | null = null) {
    await run(
      `INSERT INTO team_roles (user_id, role, group_id, from_date, stands_in_for, confirmed_at, first_confirmed_at,
         created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $6, $6)`,
      [user, name, groupId, FIRST, standsInFor, AT],
    )
    await run(
      "INSERT INTO second_factors (user_id, sealed_key, confirmed_at) VALUES ($1, '', $2) ON CONFLICT DO NOTHING",
      [user, AT],
    )
  }

  const makeAdmin = (user: UserNumber) => run(`UPDATE users SET role = 'admin' WHERE id = $1`, [user])

  return { service, run, all, makeAdmin, group, member, setRules, role }
}
