import { setTimeout } from 'node:timers/promises'
import { addDays, HOUR_MS, type JsonObject, type LocalDate } from '@saldo/core'
import { assertEqual, assertTrue, type Check, NotApplicable, RuleViolation } from '../check.ts'
import { deletion, type ServiceSession, type TeamMember, upsert } from './session.ts'

/** A service may take this long to show who is away (D30.1). */
const PATIENCE_MS = 60_000
const LOOK_EVERY_MS = 100
/** Dates so far ahead are within those that colleagues see. */
const DAYS_AHEAD = 30

/** Routes of the team that read. */
const readPaths = (today: LocalDate) => [
  '/api/team',
  `/api/team/away?from=${today}&to=${today}`,
  '/api/team/inbox',
  '/api/team/requests/mine',
  '/api/team/people',
]

/** Sends a request of a member, which has to succeed, and returns the body. */
async function ask(session: ServiceSession, who: TeamMember, method: string, path: string, json?: object) {
  const { status, body } = await session.callAs(who, method, path, json)
  assertTrue(status < 300, `${method} ${path} of the ${who} answered ${status}: ${JSON.stringify(body)}`)
  return body
}

/** Records an entry of a member for a check, and deletes it afterwards. */
async function withEntry(
  session: ServiceSession,
  who: TeamMember,
  content: JsonObject,
  work: (id: string) => Promise<void>,
) {
  const { id } = await ask(session, who, 'POST', '/api/entries', content)
  try {
    await work(id)
  } finally {
    await session.callAs(who, 'DELETE', `/api/entries/${id}`)
  }
}

/** Returns a request for a day of vacation in some weeks. */
async function vacationRequest(session: ServiceSession): Promise<JsonObject> {
  const date = addDays(await session.today(), DAYS_AHEAD)
  return { kind: 'request', asks: 'absence', absence: 'vacation', date, last_date: date }
}

/** Checks of companies (D24 to D26, D30), with the sessions of a lead, two members of their group, and a stranger. */
export const teamChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['D24.1'],
    title: 'without a company, the team is not found',
    async run(session) {
      for (const path of readPaths(await session.today())) {
        const { status, body } = await session.callAs('stranger', 'GET', path)
        assertEqual([status, body?.code], [404, 'not_found'], `GET ${path} of somebody without a company`)
      }
    },
  },
  {
    rules: ['D24.8'],
    title: 'a token without the scope of the team reads nothing of it',
    async run(session) {
      for (const path of readPaths(await session.today())) {
        const { status, body } = await session.call('GET', path)
        assertEqual([status, body?.code], [403, 'forbidden'], `GET ${path} with a token of another scope`)
      }
    },
  },
  {
    rules: ['D26.9'],
    title: 'a pushed absence that has to be asked for is rejected, and work on its day is not',
    async run(session) {
      const { policy } = await ask(session, 'member', 'GET', '/api/team')
      if (policy.policy.absences.vacation !== 'ask') throw new NotApplicable('needs a company that asks for vacation')
      const { ms } = await session.now()
      const date = addDays(await session.today(), DAYS_AHEAD)
      const updatedAt = new Date(ms - 1_000).toISOString()
      const workId = session.newId()
      const work = { kind: 'work', started_at: `${date}T10:00:00.000Z`, ended_at: `${date}T11:00:00.000Z` }
      const push = (...changes: JsonObject[]) => ask(session, 'member', 'POST', '/api/sync/push', { changes })
      const { results } = await push(
        upsert('entries', session.newId(), updatedAt, { kind: 'vacation', date }),
        upsert('entries', workId, updatedAt, work),
      )
      await push(deletion('entries', workId, new Date(ms).toISOString()))
      const [absence, other] = results
      assertEqual(
        [absence?.status, absence?.problem?.code],
        ['rejected', 'approval_needed'],
        'a vacation that nobody has approved',
      )
      assertEqual(other?.status, 'applied', 'work on the same day')
    },
  },
  {
    rules: ['D26.4', 'D26.19'],
    title: 'a decision names what was asked, the first stands, repeating it changes nothing, and it ends the reading',
    async run(session) {
      const { user_id: owner } = await ask(session, 'member', 'GET', '/api/me')
      await withEntry(session, 'member', await vacationRequest(session), async (id) => {
        const path = `/api/team/requests/${owner}/${id}`
        const { digest } = await ask(session, 'lead', 'GET', path)
        const decide = async (decision: object) => {
          const { status, body } = await session.callAs('lead', 'POST', `${path}/decision`, decision)
          return [status, status < 300 ? body?.state : body?.code]
        }
        const declined = { digest, outcome: 'declined', reason: 'conformance' }
        const other = await decide({ ...declined, digest: digest.replaceAll(/./g, '0') })
        assertEqual(other, [412, 'precondition_failed'], 'a decision of other content')
        assertEqual(await decide(declined), [200, 'declined'], 'the first decision')
        assertEqual(await decide(declined), [200, 'declined'], 'the same decision again')
        assertEqual(await decide({ digest, outcome: 'approved' }), [409, 'conflict'], 'a second decision')
        const { status, body } = await session.callAs('lead', 'GET', path)
        assertEqual([status, body?.code], [409, 'conflict'], 'a request that is decided')
      })
    },
  },
  {
    rules: ['D26.7'],
    title: 'nobody decides their own request',
    async run(session) {
      const { user_id: owner } = await ask(session, 'lead', 'GET', '/api/me')
      await withEntry(session, 'lead', await vacationRequest(session), async (id) => {
        const { items } = await ask(session, 'lead', 'GET', '/api/team/requests/mine')
        const { digest } = items.find((request: JsonObject) => request.id === id) ?? {}
        for (const outcome of ['approved', 'declined']) {
          const decision = { digest, outcome, reason: 'conformance' }
          const path = `/api/team/requests/${owner}/${id}/decision`
          const { status, body } = await session.callAs('lead', 'POST', path, decision)
          assertEqual([status, body?.code], [403, 'forbidden'], `an own request, ${outcome}`)
        }
      })
    },
  },
  {
    rules: ['D25.2', 'D30.1', 'D30.4'],
    title: 'a colleague sees that somebody is away, no kind, and no change of their own records',
    async run(session) {
      const { user_id: owner } = await ask(session, 'member', 'GET', '/api/me')
      const today = await session.today()
      const date = addDays(today, DAYS_AHEAD)
      const planned = { effective_from: today, time_zone: 'UTC', target_ms: Array(7).fill(8 * HOUR_MS) }
      const { id: settings } = await ask(session, 'member', 'POST', '/api/settings', planned)
      const versionOf = async () => (await ask(session, 'colleague', 'GET', '/api/sync/pull')).version
      const before = await versionOf()
      try {
        await withEntry(session, 'member', { kind: 'sick', date, note: 'conformance' }, async () => {
          assertEqual(await awayOnce(session, owner, date), [{ from: date, to: date, sight: 'away' }], 'a sick day')
        })
        assertEqual(await versionOf(), before, 'the version of a colleague')
      } finally {
        await session.callAs('member', 'DELETE', `/api/settings/${settings}`)
      }
    },
  },
]

/** Returns what a colleague sees of a member on a date, as soon as it is something. */
async function awayOnce(session: ServiceSession, owner: number, date: LocalDate): Promise<unknown> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const { items } = await ask(session, 'colleague', 'GET', `/api/team/away?from=${date}&to=${date}`)
    const dates = items.find((person: JsonObject) => person.user_id === owner)?.dates ?? []
    if (dates.length > 0) return dates
    if (performance.now() > endMs) throw new RuleViolation(`nobody is away after ${PATIENCE_MS / 1_000} s`)
    await setTimeout(LOOK_EVERY_MS)
  }
}
