import {
  addDays,
  composeDelta,
  datesOfWeek,
  epochMs,
  HOUR_MS,
  type IsoWeek,
  instantOf,
  type JsonObject,
  type LocalDate,
  mondayOf,
  parseDelta,
  weekOf,
} from '@saldo/core'
import { assertEqual, assertFields, assertTrue, type Check } from '../check.ts'
import { readFixture } from '../fixtures.ts'
import { assertRightDigests } from './pull.ts'
import { assertValidRecord, type CheckedResponse, deletion, resources, type ServiceSession, upsert } from './session.ts'

const schedule = {
  effective_from: '2020-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
}

/** A week that has ended, two weeks before the service's. */
async function endedWeek(session: ServiceSession): Promise<{ week: IsoWeek; dates: LocalDate[] }> {
  const week = weekOf(addDays(await session.today(), -14))
  return { week, dates: datesOfWeek(week) }
}

/** Work on a date, so many hours from eight in the morning, UTC. */
const work = (date: string, hours: number): JsonObject => ({
  kind: 'work',
  started_at: `${date}T08:00:00.000Z`,
  ended_at: new Date(Date.parse(`${date}T08:00:00.000Z`) + hours * HOUR_MS).toISOString(),
})

const { schedules, cases } = readFixture('account')

const { cases: vacations } = readFixture('vacation')

/** Throws unless a number of days is that of a fixture, such as `12.5` or `70/3`. */
function assertDays(actual: unknown, expected: unknown, subject: string): void {
  const [numerator, denominator = '1'] = String(expected).split('/')
  const isSame = Math.abs(Number(actual) - Number(numerator) / Number(denominator)) < 1e-9
  assertTrue(isSame, `${subject}: expected ${expected} days, got ${actual}`)
}

function deltaOf(text: string): number {
  const parsed = parseDelta(text)
  if (!parsed.ok) throw new Error(`a fixture has the time ${text}`)
  return parsed.deltaMs
}

/** Returns the figures of a fixture with the names of the wire: `worked` is `worked_ms`. */
function figuresOf(said: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(said).flatMap(([name, value]) => {
      if (name === 'date' || name === 'week' || name === 'settings_id') return [[name, value]]
      return [[`${name}_ms`, deltaOf(String(value))]]
    }),
  )
}

/** The account and the balance (R1.4, R2.7, D3). */
export const accountChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['R1.4', 'D2.22'],
    title: 'adjustments together stay within 2^52 ms, over REST and in a push',
    async run(session) {
      await session.requireEmpty()
      const { path, content } = resources.balance_adjustments
      const half = 2 ** 51
      const kept = await session.create('balance_adjustments', { ...content, delta_ms: half })
      await session.create('balance_adjustments', { ...content, delta_ms: -half })
      for (const [method, address, deltaMs] of [
        ['POST', path, 1],
        ['POST', path, -1],
        ['POST', path, Number.MAX_SAFE_INTEGER],
        ['PUT', `${path}/${kept.id}`, half + 1],
      ] as const) {
        const { status, body } = await session.call(method, address, { json: { ...content, delta_ms: deltaMs } })
        assertEqual(
          [status, body?.errors?.[0]?.pointer],
          [422, '/delta_ms'],
          `${method} of an adjustment of ${deltaMs} ms`,
        )
      }
      const at = await session.time(5_000)
      const adjustment = (id: string, deltaMs: number) =>
        upsert('balance_adjustments', id, at, { ...content, delta_ms: deltaMs })
      const results = await session.push([
        adjustment(session.newId(), 7),
        adjustment(kept.id, half - 1),
        adjustment(session.newId(), 1),
        adjustment(session.newId(), 1),
      ])
      const statuses = ['rejected', 'applied', 'applied', 'rejected']
      assertEqual(
        results.map(({ status }) => status),
        statuses,
        'adjustments at the limit, pushed',
      )
      const { pointer } = results[0]?.problem?.errors?.[0] ?? {}
      assertEqual(pointer, '/record/delta_ms', 'the pointer of an adjustment beyond the limit')
      assertEqual((await session.balance()).adjustments_delta_ms, 0, 'the adjustments in the balance')
    },
  },
  {
    rules: ['D3.64'],
    title: 'today counts running work until now, and says since when it runs',
    async run(session) {
      await session.requireEmpty()
      await session.create('settings_history', { ...schedule, time_zone: 'UTC' })
      const before = (await session.call('GET', '/api/account/today')).body
      assertFields(before, { running: null, running_since: null, worked_ms: 0 }, 'today without entries')
      const started = instantOf(epochMs(before.as_of) - HOUR_MS)
      await session.create('entries', { kind: 'work', started_at: started, ended_at: null })
      const today = (await session.call('GET', '/api/account/today')).body
      assertFields(today, { running: 'work', running_since: started }, 'today while work runs')
      // The day begins at midnight in UTC.
      const beginMs = Math.max(epochMs(started), Date.parse(today.date))
      assertEqual(today.worked_ms, epochMs(today.as_of) - beginMs, 'work that runs')
      const { items } = (await session.call('GET', `/api/account/days?from=${today.date}&to=${today.date}`)).body
      assertEqual(items[0]?.worked_ms, 0, 'running work in the figures of the day')
    },
  },
  {
    rules: ['R1.4', 'R2.7', 'D3.41'],
    title: 'the balance is the sum of closed weeks and adjustments, and an adjustment moves it',
    async run(session) {
      const before = await session.balance()
      const sums = (balance: typeof before) => {
        assertEqual(balance.balance_ms, balance.closed_weeks_delta_ms + balance.adjustments_delta_ms, 'the balance')
        assertEqual(balance.projected_balance_ms, balance.balance_ms + balance.open_delta_ms, 'the projected balance')
      }
      sums(before)
      const deltaMs = composeDelta({ sign: -1, hours: 7, minutes: 36, seconds: 0, ms: 0 })
      const { content } = resources.balance_adjustments
      await session.create('balance_adjustments', { ...content, effective_date: '2001-01-01', delta_ms: deltaMs })
      const future = await session.create('balance_adjustments', { ...content, delta_ms: 5 })
      const after = await session.balance()
      sums(after)
      assertEqual(
        after.adjustments_delta_ms,
        before.adjustments_delta_ms + deltaMs + 5,
        'the adjustments, future ones among them',
      )
      assertEqual(after.future_adjustments_delta_ms, before.future_adjustments_delta_ms + 5, 'the future adjustments')
      assertEqual(after.closed_weeks_delta_ms, before.closed_weeks_delta_ms, 'the closed weeks')
      await session.call('DELETE', `${resources.balance_adjustments.path}/${future.id}`)
      assertEqual((await session.balance()).balance_ms, before.balance_ms + deltaMs, 'the balance after a deletion')
    },
  },
  {
    rules: ['D3.20', 'D3.22', 'D3.23', 'D3.24', 'D3.25', 'D3.48', 'D3.53', 'D6.20', 'D9.1'],
    title: 'a week closes and reopens with its days; a single day of a closed week cannot be reopened',
    async run(session) {
      await session.requireEmpty()
      await session.create('settings_history', schedule)
      const { week, dates } = await endedWeek(session)
      const json = { week, delta_ms: 99, closed_by: 'auto' }
      const closed = await session.call('POST', '/api/closed-weeks', { json })
      assertEqual(closed.status, 201, 'closing a week')
      assertFields(
        closed.body,
        { week, start_date: dates[0], end_date: dates[6], delta_ms: -40 * HOUR_MS, closed_by: 'user' },
        'an empty week, closed',
      )
      const again = await session.call('POST', '/api/closed-weeks', { json: { week } })
      assertEqual([again.status, again.body], [200, closed.body], 'closing it again')
      assertEqual(await session.get(`/api/closed-weeks/${week}`), closed.body, 'the closed week')
      const { items } = await session.get(`/api/closed-days?from=${dates[0]}&to=${dates[6]}`)
      assertEqual(
        items.map(({ date }: { date: string }) => date),
        dates,
        'the closed days of the week',
      )
      assertEqual(
        (await session.call('DELETE', `/api/closed-days/${dates[2]}`)).status,
        409,
        'reopening a day of a closed week',
      )
      assertEqual((await session.balance()).closed_weeks_delta_ms, -40 * HOUR_MS, 'the closed weeks in the balance')
      await assertRightDigests(session)
      const { version } = await session.now()
      for (const one of [`closed-weeks/${week}`, `closed-days/${dates[2]}`]) {
        const etag = (await session.call('GET', `/api/${one}`)).headers.get('etag') ?? ''
        const fresh = await session.call('GET', `/api/${one}`, { headers: { 'if-none-match': etag } })
        assertEqual(fresh.status, 304, `GET /api/${one} with its ETag`)
        const stale = await session.call('DELETE', `/api/${one}`, { headers: { 'if-match': '"0"' } })
        assertEqual(stale.status, 412, `DELETE /api/${one} with another ETag`)
      }
      assertEqual((await session.call('DELETE', `/api/closed-weeks/${week}`)).status, 204, 'reopening the week')
      const { changes, deleted } = await session.pull(`?since=${version}`)
      assertEqual(
        [changes, deleted.closed_days?.length, deleted.closed_weeks?.length],
        [{}, 7, 1],
        'a reopened week, pulled',
      )
      await assertRightDigests(session)
      for (const one of [`closed-weeks/${week}`, `closed-days/${dates[2]}`]) {
        assertEqual((await session.call('GET', `/api/${one}`)).status, 404, `GET /api/${one} after reopening`)
      }
      const day = await session.call('POST', '/api/closed-days', { json: { date: dates[2] } })
      assertEqual(day.status, 201, 'closing a day')
      assertEqual((await session.call('DELETE', `/api/closed-days/${dates[2]}`)).status, 204, 'reopening a day')
      assertEqual((await session.call('DELETE', `/api/closed-days/${dates[2]}`)).status, 404, 'reopening it again')
      const anew = await session.call('POST', '/api/closed-weeks', { json: { week } })
      assertEqual(anew.status, 201, 'closing a reopened week')
      assertFields(
        anew.body,
        { id: closed.body.id, revision: closed.body.revision + 1, previous_delta_ms: closed.body.delta_ms },
        'a week that was reopened and closed again',
      )
    },
  },
  {
    rules: ['D1.6', 'D1.7'],
    title: 'dates and weeks that do not exist are rejected with a pointer, in the body and in the path',
    async run(session) {
      const weeks = ['2025-W53', '2026-W00', '2026-W54', '2026-47', 'W47', '10000-W01', '0000-W01', 5, null]
      const dates = ['2026-02-30', '2026-2-3', '20261120', '2026-W47', '0000-01-01', 5, null]
      for (const [collection, name, values] of [
        ['closed-weeks', 'week', weeks],
        ['closed-days', 'date', dates],
      ] as const) {
        for (const value of values) {
          for (const [method, address, options] of [
            ['POST', `/api/${collection}`, { json: { [name]: value } }],
            ['GET', `/api/${collection}/${value}`, {}],
            ['DELETE', `/api/${collection}/${value}`, {}],
          ] as const) {
            const { status, body } = await session.call(method, address, options)
            assertEqual([status, body?.errors?.[0]?.pointer], [400, `/${name}`], `${method} of the ${name} ${value}`)
          }
        }
      }
    },
  },
  {
    rules: ['D3.21'],
    title: 'days and weeks that have not ended or are outside the account cannot be closed',
    async run(session) {
      await session.requireEmpty()
      await session.create('settings_history', schedule)
      const today = await session.today()
      const wrong: [string, object][] = [
        ['closed-days', { date: addDays(today, 1) }],
        ['closed-weeks', { week: weekOf(addDays(today, 7)) }],
        ['closed-days', { date: '2019-12-30' }],
        ['closed-weeks', { week: '2019-W50' }],
      ]
      for (const [collection, json] of wrong) {
        const { status, body } = await session.call('POST', `/api/${collection}`, { json })
        assertEqual([status, body?.code], [409, 'conflict'], `closing ${JSON.stringify(json)}`)
      }
    },
  },
  {
    rules: ['D3.62', 'D3.63'],
    title: 'work that does not count is no part of a closed day, and comes to it when it counts',
    async run(session) {
      await session.requireEmpty()
      await session.create('settings_history', schedule)
      const { week, dates } = await endedWeek(session)
      const tuesday = String(dates[1])
      const onCall = { ...work(tuesday, 8), counts: false }
      const entry = await session.create('entries', onCall)
      await session.call('POST', '/api/closed-weeks', { json: { week } })
      const workedOn = async () => {
        const { changes } = await session.pull('?since=0')
        return changes.closed_days?.find(({ date }) => date === tuesday)?.worked_ms
      }
      assertEqual(await workedOn(), 0, 'the work of the closed day')
      await session.call('PUT', `${resources.entries.path}/${entry.id}`, { json: { ...onCall, counts: true } })
      assertEqual(await workedOn(), 8 * HOUR_MS, 'the work of the closed day once it counts')
    },
  },
  {
    rules: ['D3.27', 'D3.30', 'D3.31', 'D2.24', 'D2.32', 'R1.4'],
    title: 'an edit of a closed week recomputes its days and the week with the cause, and pull delivers them',
    async run(session) {
      await session.requireEmpty()
      await session.create('settings_history', schedule)
      const { week, dates } = await endedWeek(session)
      const [tuesday, thursday] = [String(dates[1]), String(dates[3])]
      const entry = await session.create('entries', work(tuesday, 8))
      const { body: before } = await session.call('POST', '/api/closed-weeks', { json: { week } })
      const { version } = await session.now()

      await session.call('PUT', `${resources.entries.path}/${entry.id}`, { json: work(thursday, 6) })
      const { changes } = await session.pull(`?since=${version}`)
      assertEqual(
        changes.closed_days?.map(({ date }) => date).toSorted(),
        [tuesday, thursday],
        'the days that were settled anew, pulled',
      )
      assertFields(
        changes.closed_days?.find(({ date }) => date === tuesday),
        { worked_ms: 0, delta_ms: -8 * HOUR_MS, closed_by: 'recompute', first_closed_by: 'user' },
        'the day that the entry left',
      )
      assertFields(
        changes.closed_days?.find(({ date }) => date === thursday),
        { worked_ms: 6 * HOUR_MS, delta_ms: -2 * HOUR_MS },
        'the day that the entry came to',
      )
      const pulled = changes.closed_weeks?.[0]
      assertFields(
        pulled,
        { week, delta_ms: -34 * HOUR_MS, previous_delta_ms: -32 * HOUR_MS, revision: before.revision + 1 },
        'the week, pulled',
      )
      assertEqual(
        pulled?.revisions.at(-1)?.causes,
        [
          {
            ...{ kind: 'entries', entry_type: 'timed', op: 'update', count: 1, id: entry.id },
            ...{ from: tuesday, to: thursday },
          },
        ],
        'the causes',
      )
      assertEqual((await session.balance()).closed_weeks_delta_ms, -34 * HOUR_MS, 'the closed weeks in the balance')
      await assertRightDigests(session)

      const noted = await session.call('PUT', `${resources.entries.path}/${entry.id}`, {
        json: { ...work(thursday, 6), note: 'moved' },
      })
      const quiet = await session.pull(`?since=${noted.body.version - 1}`)
      assertEqual(
        [quiet.changes.closed_days, quiet.changes.closed_weeks],
        [undefined, undefined],
        'what a note changes of closings',
      )

      await session.call('DELETE', `${resources.entries.path}/${entry.id}`)
      assertFields(
        await session.get(`/api/closed-weeks/${week}`),
        { delta_ms: -40 * HOUR_MS, revision: before.revision + 2 },
        'the week without the entry',
      )
    },
  },
  {
    rules: ['D3.65'],
    title: 'a recomputed week names how many entries one push recorded, deleted or restored',
    async run(session) {
      await session.requireEmpty()
      await session.create('settings_history', schedule)
      const { week, dates } = await endedWeek(session)
      await session.call('POST', '/api/closed-weeks', { json: { week } })
      const worked = dates.slice(0, 3).map((date) => ({ id: session.newId(), content: work(date, 8) }))
      const { ms } = await session.now()
      for (const [step, op] of ['create', 'delete', 'restore'].entries()) {
        const at = new Date(ms - 3_000 + step * 1_000).toISOString()
        await session.push(
          worked.map(({ id, content }) =>
            op === 'delete' ? deletion('entries', id, at) : upsert('entries', id, at, content),
          ),
        )
        const { revisions } = await session.get(`/api/closed-weeks/${week}`)
        const last = { id: worked[2]?.id, from: dates[0], to: dates[2] }
        assertEqual(
          revisions.at(-1).causes,
          [{ kind: 'entries', entry_type: 'timed', op, count: 3, ...last }],
          `the causes after each ${op}`,
        )
      }
    },
  },
  {
    rules: ['D3.28'],
    title: 'a change of settings recomputes the closed weeks in its range',
    async run(session) {
      await session.requireEmpty()
      const settings = await session.create('settings_history', schedule)
      const { week } = await endedWeek(session)
      await session.call('POST', '/api/closed-weeks', { json: { week } })
      const half = { ...schedule, target_ms: schedule.target_ms.map((ms) => ms / 2) }
      await session.call('PUT', `${resources.settings_history.path}/${settings.id}`, { json: half })
      const closed = await session.get(`/api/closed-weeks/${week}`)
      assertFields(
        closed,
        { target_ms: 20 * HOUR_MS, delta_ms: -20 * HOUR_MS, previous_delta_ms: -40 * HOUR_MS },
        'the week under half the hours',
      )
      assertFields(
        closed.revisions.at(-1).causes[0],
        { kind: 'settings_history', entry_type: null, op: 'update', count: 1, id: settings.id },
        'the cause',
      )
    },
  },
  {
    rules: ['D17.1', 'D2.35', 'D2.36', 'D17.2', 'D17.3', 'D17.4', 'D17.5', 'D17.6', 'D17.7', 'D17.8'],
    title: 'the vacation account of a year counts rules, grants and vacation (fixtures/vacation.json)',
    async run(session) {
      await session.requireEmpty()
      const { ms } = await session.now()
      const at = new Date(ms - 1_000).toISOString()
      // The others depend on the day of today.
      for (const { name, settings, entries, year, account } of vacations.filter(({ today }) => today === undefined)) {
        // In the same order, since the greater id decides between rows of one date.
        const rowIds = settings.map(() => session.newId()).sort()
        const rows = settings.map(({ daily_target = '8:00', ...row }, index) => {
          const target_ms = [1, 1, 1, 1, 1, 0, 0].map((days) => days * deltaOf(daily_target))
          return upsert('settings_history', String(rowIds[index]), at, { ...schedule, ...row, target_ms })
        })
        const changes = [...rows, ...entries.map((entry) => upsert('entries', session.newId(), at, entry))]
        for (const { status } of await session.push(changes)) assertEqual(status, 'applied', name)
        const { vacation } = await session.get(`/api/account/vacation?year=${year}`)
        assertEqual(vacation === null, account === null, `${name}: whether there is an account`)
        if (account) {
          const { expiring, ...days } = account
          assertEqual(vacation.expiring, expiring, `${name}: the days that expire`)
          for (const [figure, text] of Object.entries(days)) assertDays(vacation[figure], text, `${name}: ${figure}`)
          const sum = vacation.lines.reduce((total: number, line: { days: number }) => total + line.days, 0)
          assertDays(sum, account.left, `${name}: the sum of the lines`)
        }
        await session.cleanUp()
      }
    },
  },
  {
    rules: ['D18.5', 'D2.37', 'D18.2', 'D18.3', 'D18.4', 'D18.6', 'D18.8', 'D18.9'],
    title: 'a period end proposes an expiry, which is accepted or declined by an adjustment',
    async run(session) {
      await session.requireEmpty()
      const { week, dates } = await endedWeek(session)
      const [monday, tuesday, wednesday] = dates as [LocalDate, LocalDate, LocalDate]
      const limits = { green_ms: 0, yellow_ms: 0, period_ends: [tuesday.slice(5)], keep_at_most_ms: HOUR_MS }
      const target_ms = [0, 0, 0, 0, 0, 0, 0]
      await session.create('settings_history', { ...schedule, effective_from: monday, target_ms, limits })
      const entry = await session.create('entries', work(monday, 4))
      await session.create('entries', work(wednesday, 5))
      const read = async () => (await session.get('/api/account/proposals')).items
      assertEqual(await read(), [], 'the proposals before the week is closed')
      await session.call('POST', '/api/closed-weeks', { json: { week } })
      const open = { period_end: tuesday, state: 'open', balance_ms: 4 * HOUR_MS, excess_ms: 3 * HOUR_MS }
      const [proposal] = await read()
      assertFields(proposal, { ...open, expired_ms: null }, 'the proposal')

      const adjustment = { id: proposal.adjustment_id, effective_date: tuesday, kind: 'expiry', reason: 'x' }
      const path = `${resources.balance_adjustments.path}/${adjustment.id}`
      await session.call('POST', resources.balance_adjustments.path, { json: { ...adjustment, delta_ms: 0 } })
      assertFields((await read())[0], { ...open, state: 'declined', expired_ms: 0 }, 'the declined proposal')
      assertEqual((await session.balance()).balance_ms, 9 * HOUR_MS, 'the balance after declining')
      await session.call('PUT', path, { json: { ...adjustment, delta_ms: -3 * HOUR_MS } })
      assertFields((await read())[0], { ...open, state: 'accepted', expired_ms: 3 * HOUR_MS }, 'the accepted proposal')
      assertEqual((await session.balance()).balance_ms, 6 * HOUR_MS, 'the balance after accepting')

      await session.call('PUT', `${resources.entries.path}/${entry.id}`, { json: work(monday, 3) })
      assertFields(
        (await read())[0],
        { state: 'changed', balance_ms: 3 * HOUR_MS, excess_ms: 2 * HOUR_MS, expired_ms: 3 * HOUR_MS },
        'the accepted proposal after a late edit',
      )
      await session.call('PUT', path, { json: { ...adjustment, kind: 'payout', delta_ms: -2 * HOUR_MS } })
      assertFields((await read())[0], { state: 'accepted', expired_ms: 2 * HOUR_MS }, 'the decision that was edited')
      await session.call('DELETE', `/api/closed-weeks/${week}`)
      assertFields((await read())[0], { state: 'accepted', expired_ms: 2 * HOUR_MS }, 'the decision of an open week')
    },
  },
  {
    rules: [
      'D2.16',
      'D3.1',
      'D3.5',
      'D3.7',
      'D3.10',
      'D3.11',
      'D3.12',
      'D3.49',
      'D3.50',
      'D3.51',
      'D3.54',
      'D2.23',
      'D14.1',
      'D14.6',
    ],
    title: 'days and weeks close with the figures of the account function (fixtures/account.json)',
    async run(session) {
      await session.requireEmpty()
      const { ms } = await session.now()
      const at = new Date(ms - 1_000).toISOString()
      for (const { name, schedule, entries, days, weeks = [] } of cases) {
        const rows = schedules[schedule] ?? []
        // In the same order, since the greater id decides between rows of one date.
        const inOrder = rows.map(() => session.newId()).sort()
        const newIds = new Map(
          rows
            .map(({ id }) => id)
            .sort()
            .map((id, index) => [id, inOrder[index]]),
        )
        const settings = rows.map(({ id, ...row }) => upsert('settings_history', String(newIds.get(id)), at, row))
        const changes = [...settings, ...entries.map((entry) => upsert('entries', session.newId(), at, entry))]
        for (const { status } of await session.push(changes)) assertEqual(status, 'applied', name)
        const hasEnded = (date: string) => Date.parse(date) + 3 * 24 * HOUR_MS < ms
        const ended = days.filter(({ date }) => hasEnded(date))
        const closedDays = await Promise.all(
          ended.map(({ date }) => session.call('POST', '/api/closed-days', { json: { date } })),
        )
        for (const [index, said] of ended.entries()) {
          const { status, body } = closedDays[index] as CheckedResponse
          if (said.settings_id === null) {
            assertEqual(status, 409, `${name}: closing ${said.date}, which is outside the account`)
            continue
          }
          assertTrue(status === 200 || status === 201, `${name}: closing ${said.date} answered ${status}`)
          assertValidRecord('closed_days', body)
          assertFields(
            body,
            figuresOf({ ...said, ...(said.settings_id && { settings_id: newIds.get(said.settings_id) }) }),
            name,
          )
        }
        for (const said of weeks.filter(({ week }) => hasEnded(addDays(mondayOf(week), 6)))) {
          const { status, body } = await session.call('POST', '/api/closed-weeks', { json: { week: said.week } })
          if (rows.every(({ effective_from }) => effective_from > addDays(mondayOf(said.week), 6))) {
            assertEqual(status, 409, `${name}: closing ${said.week}, which is outside the account`)
            continue
          }
          assertTrue(status === 200 || status === 201, `${name}: closing ${said.week} answered ${status}`)
          assertValidRecord('closed_weeks', body)
          assertFields(body, figuresOf(said), name)
        }
        await session.cleanUp()
      }
    },
  },
]
