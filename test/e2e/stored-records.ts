import type { Page } from 'playwright-core'
import type { Stage } from './stage.ts'

/** A record, as the service has it. */
export type Stored = Record<string, unknown>

/** Returns the records of the service without what it sets itself; of closed periods only which they are. */
export async function storedBy(stage: Stage, page: Page): Promise<Stored[]> {
  const { records } = await stage.ask(page, 'GET', '/api/me/export')
  return Object.entries(records as Record<string, Stored[]>).flatMap(([collection, rows]) =>
    rows.map(({ id: _id, version: _version, created_at: _created, updated_at: _updated, ...content }) => {
      if (collection === 'closed_weeks') return { closed: content.week }
      return collection === 'closed_days' ? { closed: content.date } : content
    }),
  )
}

/** A row as a text in which its fields are in order. */
const textOf = (row: Stored) => JSON.stringify(Object.entries(row).sort())

/** Returns the rows of one list that another lacks. */
export function without(rows: readonly Stored[], others: readonly Stored[]): Stored[] {
  const left = others.map(textOf)
  return rows.filter((row) => {
    const place = left.indexOf(textOf(row))
    if (place >= 0) left.splice(place, 1)
    return place < 0
  })
}
