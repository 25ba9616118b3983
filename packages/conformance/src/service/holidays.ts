import { addDays, HOUR_MS, type JsonObject, type LocalDate } from '@saldo/core'
import { assertEqual, assertFields, type Check, RuleViolation } from '../check.ts'
import { resources, type ServiceSession } from './session.ts'

/** A service may take this long to generate holidays. */
const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 100

/** Returns the public holidays from a date on, once they are as they should be. */
async function holidaysOnce(
  session: ServiceSession,
  from: LocalDate,
  what: string,
  isDone: (dates: ReadonlySet<string>) => boolean,
): Promise<Map<string, JsonObject>> {
  const endMs = performance.now() + PATIENCE_MS
  for (;;) {
    const { items } = await session.get(`/api/entries?from=${from}&to=${addDays(from, 1_000)}&limit=1000`)
    const holidays = (items as JsonObject[]).filter(({ kind }) => kind === 'public_holiday')
    const byDate = new Map(holidays.map((entry) => [String(entry.date), entry]))
    assertEqual(holidays.length, byDate.size, 'D16.7: holidays, one for each date')
    if (isDone(new Set(byDate.keys()))) return byDate
    if (performance.now() > endMs)
      throw new RuleViolation(`${what} after ${PATIENCE_MS / 1_000} s: ${[...byDate.keys()]}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}

/** Public holidays (D16). */
export const holidayChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['D16.4', 'D16.2', 'D16.6', 'D16.8', 'D16.9', 'D16.10', 'D16.13'],
    title: 'the service generates the public holidays of a state, and edits and deletions survive a move',
    async run(session) {
      await session.requireEmpty()
      const today = await session.today()
      const year = Number(today.slice(0, 4)) + 1
      const [eve, christmas, stephen] = [`${year}-12-24`, `${year}-12-25`, `${year}-12-26`]
      const [epiphany, ownDay] = [`${year}-01-06`, `${year}-05-01`]
      const path = resources.entries.path
      const own = await session.create('entries', { kind: 'public_holiday', date: ownDay, note: 'own' })

      const rule = { country: 'DE', state: 'BY', partial: { '12-24': 0.5 } }
      const settings = {
        effective_from: today,
        time_zone: 'Europe/Berlin',
        target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * HOUR_MS),
        holidays: rule,
      }
      const row = await session.create('settings_history', settings)
      const first = await holidaysOnce(session, today, 'no public holidays of next year', (dates) => dates.has(stephen))
      assertFields(
        first.get(epiphany),
        {
          source: 'holidays',
          import_ref: `DE-BY ${epiphany}`,
          day_share: 1,
          updated_at: '1970-01-01T00:00:00.000Z',
        },
        'a generated holiday',
      )
      assertFields(first.get(eve), { day_share: 0.5 }, 'a day of partial')
      assertFields(first.get(ownDay), { id: own.id, note: 'own' }, 'the holiday of the user')
      assertEqual(first.has(`${year + 1}-01-01`), false, 'a holiday after the end of next year')

      const edited = { kind: 'public_holiday', date: christmas, day_share: 0.25, note: 'edited' }
      await session.call('PUT', `${path}/${first.get(christmas)?.id}`, { json: edited })
      await session.call('DELETE', `${path}/${first.get(stephen)?.id}`)
      await session.call('PUT', `${resources.settings_history.path}/${row.id}`, {
        json: { ...settings, holidays: { ...rule, state: 'BE' } },
      })
      const moved = await holidaysOnce(session, today, 'holidays of the state before', (dates) => !dates.has(epiphany))
      assertFields(moved.get(christmas), edited, 'an edited holiday after a move')
      assertEqual(moved.has(stephen), false, 'a deleted holiday after a move')
      assertFields(moved.get(`${year}-03-08`), { import_ref: `DE-BE ${year}-03-08` }, 'a holiday of the new state')

      await session.call('DELETE', `${resources.settings_history.path}/${row.id}`)
      const left = await holidaysOnce(session, today, 'holidays without a rule', (dates) => dates.size <= 2)
      assertEqual([...left.keys()].sort(), [ownDay, christmas], 'what is left without a rule')
    },
  },
]
