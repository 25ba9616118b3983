import { datesOfMonth, type LocalDate, type Month, monthAfter } from '@saldo/core'
import { expect } from 'vitest'
import type { TestService } from '../harness.ts'
import { newId, push, timeOf } from '../http/resources.ts'
import { addGroup, give, join, type Person, person, startCompany } from './founded-company.ts'

const MINUTE_MS = 60_000
const FIRST: LocalDate = '2026-01-01'
const names = ['Lea', 'Leo', 'Ann', 'Bob', 'Cleo', 'Dan', 'Eva', 'Fay', 'Gus', 'Hal', 'Ida', 'Jan'] as const
export type Name = (typeof names)[number]

/** The fields of an entry that a device compares. */
type Content = Record<string, unknown>

/** A change as a push has it. */
export interface DeviceChange {
  kind: 'entries'
  op: 'upsert'
  record: Content & { id: string; updated_at: string }
}

/** A member with a device, which knows what was acknowledged and what was rejected. */
export class Device {
  readonly person: Person
  readonly index: number
  readonly lead: Name
  /** The contents that the service has acknowledged, by id. */
  readonly acknowledged = new Map<string, Content>()
  /** Rejected changes as they were made, with the code of the problem. */
  readonly rejected: { change: DeviceChange; code: string }[] = []
  /** Dates of approved vacation. */
  readonly away = new Set<LocalDate>()
  readonly #service: TestService

  constructor(service: TestService, person: Person, index: number) {
    this.#service = service
    this.person = person
    this.index = index
    this.lead = index % 2 === 0 ? 'Lea' : 'Leo'
  }

  /** The planned minutes of a date from Monday on. */
  get planned(): number[] {
    return [
      [480, 480, 480, 480, 480, 0, 0],
      [462, 462, 462, 462, 462, 0, 0],
      [360, 360, 360, 360, 0, 0, 0],
    ][this.index % 3] as number[]
  }

  change(content: Content, id: string = newId(), afterMs = 0): DeviceChange {
    return { kind: 'entries', op: 'upsert', record: { id, ...content, updated_at: timeOf(this.#service, afterMs) } }
  }

  /** Pushes changes and notes their results. Returns a word for each. */
  async push(changes: readonly DeviceChange[]): Promise<string[]> {
    if (changes.length === 0) return []
    const results = await push(this.person.call, changes)
    return changes.map((change, index) => {
      const { status, problem } = results[index]
      const { updated_at: _, ...content } = change.record
      if (status === 'applied') this.acknowledged.set(change.record.id, content)
      if (status === 'rejected') this.rejected.push({ change, code: problem.code })
      return status === 'rejected' ? problem.code : status
    })
  }

  /** Returns the changes of a date: work with a break, now and then an absence, and a night over the end of a month. */
  changesOf(date: LocalDate): DeviceChange[] {
    const day = Date.parse(date) / 86_400_000
    const planned = this.planned[(day + 3) % 7] ?? 0
    const at = (minutes: number) => new Date(Date.parse(date) + minutes * MINUTE_MS).toISOString()
    const timed = (kind: string, from: number, to: number) =>
      this.change({ kind, started_at: at(from), ended_at: at(to) })
    const night =
      this.index === 11 && datesOfMonth(date.slice(0, 7) as Month).to === date ? [timed('work', 1260, 1500)] : []
    if (planned === 0 || this.away.has(date)) return night
    const chance = (this.index * 31 + day) % 37
    if (chance === 0) return [this.change({ kind: 'sick', date, day_share: 1, amount_ms: null })]
    if (chance === 20) return [this.change({ kind: 'time_off_in_lieu', date, day_share: 1, amount_ms: null })]
    const half = chance === 10 ? [this.change({ kind: 'sick', date, day_share: 0.5, amount_ms: null })] : []
    const [from, minutes] = [
      420 + (this.index % 3) * 30,
      planned / (half.length + 1) + ((this.index * 7 + day * 13) % 91) - 45,
    ]
    return [...half, ...night, timed('work', from, from + minutes + 30), timed('break', from + 120, from + 150)]
  }
}

/** A company of twelve members in two groups, each with a lead, on the first day of 2026. */
export async function startYear() {
  const { service, hr, company } = await startCompany({ now: `${FIRST}T08:00:00.000Z` })
  const groups = [await addGroup(hr, 'North', company), await addGroup(hr, 'South', company)] as const
  const devices = new Map<Name, Device>()
  for (const [index, name] of names.entries()) {
    const member = await person(service, name, { isStrong: index < 2 })
    await join(hr, member, groups[index % 2] as number, FIRST)
    const device = new Device(service, member, index)
    const row = {
      effective_from: name === 'Ida' ? '2026-01-15' : FIRST,
      time_zone: 'Europe/Berlin',
      target_ms: device.planned.map((minutes) => minutes * MINUTE_MS),
      ...(name === 'Gus' && { holidays: { country: 'DE', state: 'BY' } }),
      ...(name === 'Hal' && { auto_close: { day_after_ms: 3_600_000, week_after_days: 1 } }),
    }
    await write(member, '/api/settings', row)
    devices.set(name, device)
  }
  const of = (name: Name) => devices.get(name) as Device
  for (const [index, name] of (['Lea', 'Leo'] as const).entries()) {
    const role = { user_id: of(name).person.user, role: 'lead', group_id: groups[index], from: FIRST }
    expect((await give(hr, role)).outcome).toBe('added')
  }
  await write(of('Cleo').person, '/api/settings', {
    ...{ effective_from: '2026-07-01', time_zone: 'Europe/Berlin' },
    target_ms: [300, 300, 300, 300, 300, 0, 0].map((minutes) => minutes * MINUTE_MS),
  })
  const adjust = (name: Name, date: LocalDate, minutes: number, kind: string) =>
    write(of(name).person, '/api/balance/adjustments', {
      ...{ effective_date: date, delta_ms: minutes * MINUTE_MS, kind, reason: 'As agreed' },
    })
  await adjust('Ann', FIRST, 725, 'opening')
  // Before the account begins, within its first month.
  await adjust('Ida', '2026-01-02', 600, 'opening')
  const items = [...devices.values()].map(({ person: { user }, index }) => ({
    user_id: user,
    number: String(100 + index),
  }))
  await hr.call('PUT', '/api/team/personnel', { json: { items } })
  return { service, hr, devices, of, adjust, groups }
}

async function write({ call }: Person, path: string, json: object): Promise<void> {
  const { status, text } = await call('POST', path, { json })
  if (status !== 201) throw new Error(text)
}

/** The months of the year that is played. */
export const yearMonths = Array.from({ length: 12 }, (_, index) => monthAfter('2026-01', index))
