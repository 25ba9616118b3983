import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { dates, isoWeek } from '../../../core/test/naive-account.ts'
import { serviceOfFile } from '../file-service.ts'
import { absence, settings, work } from './samples.ts'
import type { SentChange } from './sent-records.ts'
import { TestAccount } from './test-account.ts'

const service = await serviceOfFile()

test('[D3.29] concurrent edits, settings, closings, reopenings and jobs leave a correct account', async () => {
  const account = await TestAccount.open(service)
  const auto_close = { day_after_ms: 0, week_after_days: 10 }
  await account.post('settings_history', settings('2026-08-03', { auto_close }))
  const all = dates('2026-08-03', '2026-11-15')
  const weeks = [...new Set(all.map(isoWeek))]
  const entries = all.map((date, index): SentChange => {
    const content = index % 5 ? work(`${date}T19:00Z`, `${date}T23:30Z`) : absence('sick', date, 0.5)
    return { kind: 'entries', id: randomUUID(), content }
  })
  const rows = all.flatMap((date, index): SentChange[] => {
    if (index % 17 > 0) return []
    const time_zone = index % 2 ? 'Pacific/Kiritimati' : 'Pacific/Pago_Pago'
    return [{ kind: 'settings_history', id: randomUUID(), content: settings(date, { time_zone, auto_close }) }]
  })
  const anyOf = (statuses: number[]) => async (answer: Promise<{ status: number }>) =>
    expect(statuses).toContain((await answer).status)

  for (let round = 0; round < 3; round += 1) {
    const edits = entries.map((change, index) => {
      const date = all[(index + 7 * round) % all.length]
      const content = round === 2 && index % 11 === 0 ? null : { ...change.content, ...moved(change.content, date) }
      return account.apply({ ...change, content }, (index + round) % 2 ? 'rest' : 'push')
    })
    const moves = rows.map((change, index) => {
      const content = settings(all[(index * 17 + round * 3) % all.length] ?? '', change.content ?? {})
      return account.apply(
        { ...change, content: { ...change.content, ...pickDate(content) } },
        index % 2 ? 'push' : 'rest',
      )
    })
    const closings = weeks.map((week) => account.call('POST', '/api/closed-weeks', { json: { week } }))
    const reopenings = weeks
      .filter((_, index) => index % 4 === round)
      .map((week) => account.call('DELETE', `/api/closed-weeks/${week}`))
    await Promise.all([
      ...edits,
      ...moves,
      ...closings.map(anyOf([200, 201])),
      service.service.runDueJobs(),
      ...reopenings.map(anyOf([204, 404])),
    ])
    await service.service.runDueJobs()
    expect((await account.expectCorrect()).weeks).toBeGreaterThan(5)
  }
})

/** Returns the time of a content on another date. */
function moved(content: object | null, date = ''): object {
  if (!content || 'date' in content) return { date }
  return work(`${date}T19:00Z`, `${date}T23:30Z`)
}

function pickDate({ effective_from }: { effective_from: string }) {
  return { effective_from }
}
