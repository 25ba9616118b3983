import {
  addDays,
  datesIn,
  datesOfMonth,
  isSheetIntact,
  type LocalDate,
  type Month,
  monthAfter,
  type StoredSheet,
} from '@saldo/core'
import { expect, test } from 'vitest'
import { TeamStore } from '../../src/store/team/team-store.ts'
import { AccountTrails } from '../../src/team/account-trail.ts'
import { runTeamFacts } from '../../src/team/facts-job.ts'
import { newId } from '../http/resources.ts'
import { type Person, signInAgain } from './founded-company.ts'
import { checkedWageTypes, payrollFaults } from './year-checker.ts'
import { type Device, type DeviceChange, type Name, startYear, yearMonths } from './year-company.ts'

type Year = Awaited<ReturnType<typeof startYear>>

const LEAVER: Name = 'Eva'
const LAST_OF_LEAVER = '2026-06'
const REASON = 'A day was forgotten'

const membersIn = ({ devices }: Year, month: Month) =>
  [...devices].filter(([name]) => name !== LEAVER || month <= LAST_OF_LEAVER)

/** Signs everybody in anew: a session ends after a year. */
async function signIn({ service, devices, hr }: Year): Promise<void> {
  for (const person of [hr, ...[...devices.values()].map(({ person }) => person)]) await signInAgain(service, person)
}

/** Asks for changes and has the lead approve. Returns the request. */
async function askFor(year: Year, device: Device, asked: Record<string, unknown>): Promise<string> {
  const request = device.change({ kind: 'request', ...asked })
  expect(await device.push([request])).toEqual(['applied'])
  const path = `/api/team/requests/${device.person.user}/${request.record.id}`
  const { call } = year.of(device.lead).person
  const { digest } = (await call('GET', path)).body
  const decide = () => call('POST', `${path}/decision`, { json: { digest, outcome: 'approved' } })
  for (const decided of [await decide(), await decide()]) expect(decided.body.state).toBe('approved')
  return request.record.id
}

/** Asks for a change that was rejected as locked, and has it approved: the month is locked anew. */
async function correct(year: Year, device: Device, change: DeviceChange): Promise<void> {
  const date = String(change.record.started_at).slice(0, 10)
  await askFor(year, device, { asks: 'change', date, last_date: date, changes: [change] })
  const { id, updated_at: _, ...content } = change.record
  device.acknowledged.set(id, content)
}

async function recordMonth(year: Year, month: Month): Promise<void> {
  const { service } = year
  const { from, to } = datesOfMonth(month)
  const middle = addDays(from, 14)
  const recordDates = async (first: LocalDate, last: LocalDate) => {
    for (const [, device] of membersIn(year, month)) {
      const changes = [...datesIn({ from: first, to: last })].flatMap((date) => device.changesOf(date))
      const words = await device.push(changes)
      expect(words.filter((word) => word !== 'applied')).toEqual([])
      expect((await device.push(changes)).filter((word) => word !== 'unchanged')).toEqual([])
    }
    await service.service.runDueJobs()
  }
  service.clock.set(`${addDays(middle, 1)}T12:00:00.000Z`)
  await recordDates(from, middle)
  // Vacation is asked for first: recorded at once, it is rejected and stays at the device.
  const absent = [...membersIn(year, month)][2 + (Number(month.slice(5)) % 9)]?.[1] as Device
  const [first, last] = [addDays(from, 19), addDays(from, 21)]
  expect(await absent.push([absent.change({ kind: 'vacation', date: first, day_share: 1, amount_ms: null })])).toEqual([
    'approval_needed',
  ])
  await askFor(year, absent, { asks: 'absence', absence: 'vacation', date: first, last_date: last })
  for (const date of datesIn({ from: first, to: last })) absent.away.add(date)
  if (month === LAST_OF_LEAVER) await leave(year)
  service.clock.set(`${addDays(to, 1)}T12:00:00.000Z`)
  await recordDates(addDays(middle, 1), to)
}

async function leave({ hr, of, groups }: Year): Promise<void> {
  const { person, index } = of(LEAVER)
  const item = {
    email: person.email,
    group_id: groups[index % 2],
    from: '2026-01-01',
    until: datesOfMonth(LAST_OF_LEAVER).to,
  }
  const [result] = (await hr.call('PUT', '/api/team/people', { json: { items: [item] } })).body.items
  expect(result.outcome).toBe('changed')
}

const actOn = async ({ call }: Person, action: string, month: Month, users: number[], reason: string | null = null) =>
  (await call('POST', `/api/team/months/${month}/${action}`, { json: { users, reason } })).body.items.map(
    ({ outcome, detail }: { outcome: string; detail?: string }) => detail ?? outcome,
  )

const submitMonth = async ({ person }: Device, month: Month) =>
  expect((await person.call('POST', `/api/me/months/${month}/submission`)).text).toBe('')

/** Everybody submits; leads lock many at once, and HR the leads. */
async function lockMonth(year: Year, month: Month): Promise<void> {
  const members = membersIn(year, month)
  for (const [, device] of members) await submitMonth(device, month)
  const lockers = [year.of('Lea').person, year.of('Leo').person, year.hr] as const
  for (const [index, locker] of lockers.entries()) {
    const users = members
      .filter(([, device]) => (device.index < 2 ? index === 2 : device.index % 2 === index))
      .map(([, { person }]) => person.user)
    for (const outcome of ['changed', 'unchanged']) {
      expect(await actOn(locker, 'lock', month, users), `${month} ${outcome}`).toEqual(users.map(() => outcome))
    }
  }
}

/** A device that was offline sends a changed and a forgotten entry of a locked month. Returns the changed one. */
async function editLate(device: Device, month: Month, minutes: number): Promise<DeviceChange> {
  const [found] = [...device.acknowledged].filter(
    ([, { kind, started_at }]) => kind === 'work' && String(started_at).startsWith(month),
  )
  if (!found) throw new Error(`nothing recorded in ${month}`)
  const [id, content] = found
  const ended = new Date(Date.parse(String(content.ended_at)) + minutes * 60_000).toISOString()
  const changed = device.change({ ...content, ended_at: ended }, id, 1_000)
  const forgotten = device.change({
    kind: 'work',
    started_at: `${month}-10T18:00:00.000Z`,
    ended_at: `${month}-10T19:00:00.000Z`,
  })
  const repeated = device.change(content, id, -90 * 86_400_000)
  const words = await device.push([changed, forgotten, repeated])
  expect(words.slice(0, 2)).toEqual(['locked', 'locked'])
  expect(['unchanged', 'superseded']).toContain(words[2])
  expect(device.rejected.slice(-2)).toEqual([changed, forgotten].map((change) => ({ change, code: 'locked' })))
  return changed
}

/** HR reopens a month of somebody, who records a forgotten day; it is locked anew. */
async function reopenAndLock(year: Year, name: Name, month: Month, changes: DeviceChange[]): Promise<void> {
  const device = year.of(name)
  expect(await actOn(year.hr, 'reopen', month, [device.person.user], REASON)).toEqual(['changed'])
  expect((await device.push(changes)).filter((word) => word !== 'applied')).toEqual([])
  await year.service.service.runDueJobs()
  await submitMonth(device, month)
  expect(await actOn(year.of(device.lead).person, 'lock', month, [device.person.user])).toEqual(['changed'])
}

async function exportMonth({ hr }: Year, month: Month): Promise<void> {
  const { body } = await hr.call('POST', '/api/team/exports', { json: { month, leave_out: [] } })
  expect(body.obstacles).toEqual([])
  expect((await hr.call('POST', '/api/team/exports', { json: { month, leave_out: [] } })).body.file).toEqual(body.file)
}

/** Checks what holds after each month. */
async function checkMonth(year: Year, month: Month): Promise<void> {
  const { service, devices } = year
  await service.service.runDueJobs()
  const nowMs = service.clock.now()
  const stores = await service.openBeside()
  const trails = new AccountTrails({
    records: stores.records,
    team: new TeamStore(stores.driver),
    clock: service.clock,
  })
  for (const [name, device] of devices) {
    const { user, call } = device.person
    const exported = (await call('GET', '/api/me/export')).body
    // Nothing that was acknowledged is lost, and nothing is there that nobody acknowledged.
    const unknown: unknown[] = []
    const stored = new Map<string, Record<string, unknown>>()
    for (const entry of exported.records.entries) {
      stored.set(entry.id, entry)
      if (!device.acknowledged.has(entry.id) && !['request', 'holidays'].includes(entry.source)) unknown.push(entry)
    }
    expect(unknown, name).toEqual([])
    for (const [id, content] of device.acknowledged) expect(stored.get(id), `${name} ${id}`).toMatchObject(content)
    // Each approval is there once, though it was decided twice.
    const ofKind = (kind: string) => exported.trail.filter((row: { kind: string }) => row.kind === kind)
    const requests = [...device.acknowledged].filter(([, { kind }]) => kind === 'request').map(([id]) => id)
    expect(ofKind('request_decided').map(({ data }: { data: { request: string } }) => data.request)).toEqual(requests)
    for (const date of device.away) {
      const approved = exported.records.entries.filter((entry: { kind: string; date?: string }) => {
        return entry.kind === 'vacation' && entry.date === date
      })
      const isPlanned = device.planned[(Date.parse(date) / 86_400_000 + 3) % 7] !== 0
      expect(approved.length, `${name} ${date}`).toBeLessThanOrEqual(isPlanned ? 1 : 0)
    }
    expect(await trails.verify(user), name).toBeUndefined()
    // Facts equal what `saldo admin team rebuild` makes.
    const facts = () =>
      stores.driver.all(
        'SELECT company_id, version, time_zone, absences, requests, board FROM team_facts WHERE user_id = $1',
        [user],
      )
    const before = await facts()
    await stores.records.write(user, (writer) => runTeamFacts(writer, { user, nowMs }))
    expect(await facts(), name).toEqual(before)
    // Sheets are whole, and each carries in what the one before carries out.
    const sheets: StoredSheet[] = exported.sheets
    expect(sheets.every(isSheetIntact), name).toBe(true)
    const last = [...new Map(sheets.map((sheet) => [sheet.month, sheet])).values()]
    const due = yearMonths.filter((each) => each <= month && (name !== LEAVER || each <= LAST_OF_LEAVER))
    expect(last.map((sheet) => sheet.month).toSorted(), name).toEqual(due)
    for (const [index, sheet] of last.entries()) {
      expect(sheet.balance_in_ms, `${name} ${sheet.month}`).toBe(last[index - 1]?.balance_out_ms ?? 0)
    }
    const rows: { month: Month; state: string; check_code: string; carried_differs: boolean }[] = (
      await call('GET', '/api/me/months')
    ).body.items
    for (const sheet of last) {
      const { check_code } = sheet
      expect(rows.find((row) => row.month === sheet.month)).toMatchObject({ state: 'locked', check_code })
    }
    expect(
      rows.filter((row) => row.carried_differs),
      name,
    ).toEqual([])
  }
  await stores.close()
  await checkPayroll(year, month)
}

/** The files of all months so far add up to the accounts, by a program that shares no code with ours. */
async function checkPayroll({ hr, devices }: Year, month: Month): Promise<void> {
  const { items } = (await hr.call('GET', '/api/team/exports')).body
  const files: string[] = []
  for (const { number } of items) files.push((await hr.call('GET', `/api/team/exports/${number}`)).text)
  const people = []
  for (const [name, { person, index }] of devices) {
    const exported = (await person.call('GET', '/api/me/export')).body
    const lastMonth = name === LEAVER && month > LAST_OF_LEAVER ? LAST_OF_LEAVER : month
    people.push({ personnelNumber: String(100 + index), lastMonth, exported })
  }
  expect(payrollFaults(files, people)).toEqual([])
}

test('[D27.1] [D27.11] [D27.13] [D29.7] [D31.2] a year of a company of twelve adds up, month by month', async () => {
  const year = await startYear()
  const { service, hr, of } = year
  const rules = Object.entries(checkedWageTypes).map(([wage_type, { figure, perUnit }]) => {
    return { sum: figure, wage_type, unit: perUnit === 1 ? 'minutes' : 'days' }
  })
  const others = ['public_holiday', 'time_off_in_lieu'].map((sum) => ({ sum, wage_type: null, unit: 'days' }))
  const form = { columns: ['personnel_number', 'month', 'wage_type', 'amount'], separator: ';', decimal_sign: '.' }
  const mapping = { ...form, encoding: 'utf-8', header: false, rules: [...rules, ...others] }
  expect((await hr.call('PUT', '/api/team/mapping', { json: mapping })).status).toBeLessThan(300)
  const saturday = (device: Device, date: LocalDate) =>
    device.change({ kind: 'work', started_at: `${date}T08:00:00.000Z`, ended_at: `${date}T10:05:00.000Z` })

  for (const month of yearMonths) {
    await recordMonth(year, month)
    if (month === '2026-07') await signIn(year)
    if (month === '2026-08') {
      const putBack = await service.backUp()
      const known = new Map([...year.devices].map(([name, device]) => [name, new Set(device.acknowledged.keys())]))
      await lockMonth(year, month)
      const gus = of('Gus')
      expect(await gus.push([saturday(gus, '2026-09-01')])).toEqual(['applied'])
      await putBack()
      expect((await gus.person.call('GET', '/api/me/months/2026-08')).body).toMatchObject({
        state: 'open',
        is_stored: false,
      })
      // Devices send again what the service has lost.
      for (const [name, device] of year.devices) {
        const lost = [...device.acknowledged].filter(([id]) => !known.get(name)?.has(id))
        expect(lost).toHaveLength(name === 'Gus' ? 1 : 0)
        const again = lost.map(([id, content]) => device.change(content, id))
        expect(await device.push(again)).toEqual(lost.map(() => 'applied'))
      }
    }
    await lockMonth(year, month)
    const late = of(
      (['Ann', 'Bob', 'Cleo', 'Dan', 'Fay', 'Gus', 'Hal', 'Ida', 'Jan'] as const)[Number(month.slice(5)) % 9] as Name,
    )
    await editLate(late, month, 30)
    if (month === '2026-03') await correct(year, of('Bob'), await editLate(of('Bob'), month, 45))
    if (month === '2026-05') await dispute(year, month)
    await exportMonth(year, month)
    await checkMonth(year, month)
    if (month === '2026-04') await reopenAndLock(year, 'Dan', month, [saturday(of('Dan'), '2026-04-18')])
    if (month === '2026-10') {
      // A correction of an older month: the sheet behind it carries in another balance until it is locked anew.
      const fay = of('Fay')
      const september = monthAfter(month, -1)
      await correct(year, fay, await editLate(fay, september, -20))
      const marked = (await fay.person.call('GET', '/api/me/months')).body.items.filter(
        (row: { carried_differs: boolean }) => row.carried_differs,
      )
      expect(marked.map((row: { month: Month }) => row.month)).toEqual([month])
      await reopenAndLock(year, 'Fay', month, [])
      await exportMonth(year, september)
      await exportMonth(year, month)
      await checkMonth(year, month)
    }
    // A repeated run of an older month sends nothing again.
    if (month === '2026-06') {
      await exportMonth(year, '2026-04')
      await checkPayroll(year, month)
    }
  }
  const codes = new Set([...year.devices.values()].flatMap(({ rejected }) => rejected.map(({ code }) => code)))
  expect([...codes].toSorted()).toEqual(['approval_needed', 'locked'])
  expect(
    (await hr.call('GET', `/api/team/members/${of('Jan').person.user}/months/2026-05`)).body.remarks,
  ).toMatchObject([{ text: REMARK }])
})

const REMARK = 'I worked until the end of the shift on that day'

/** HR proposes to shorten a day; the person declines and attaches a remark, and the sheet stays as it is. */
async function dispute({ hr, of }: Year, month: Month): Promise<void> {
  const jan = of('Jan')
  const [id, content] = [...jan.acknowledged].find(
    ([, { kind, started_at }]) => kind === 'work' && String(started_at).startsWith(month),
  ) as [string, Record<string, unknown>]
  const ended_at = new Date(Date.parse(String(content.ended_at)) - 3_600_000).toISOString()
  const json = { id: newId(), reason: 'The gate says otherwise', changes: [jan.change({ ...content, ended_at }, id)] }
  const { body } = await hr.call('POST', `/api/team/members/${jan.person.user}/changes`, { json })
  expect(body.state).toBe('waiting')
  const answer = { json: { answer: 'decline' } }
  expect((await jan.person.call('POST', `/api/me/proposals/${body.id}/answer`, answer)).status).toBe(204)
  expect((await jan.person.call('POST', '/api/me/remarks', { json: { month, text: REMARK } })).status).toBe(201)
}
