import { coveredBy, type DateRange, difference, type EpochMs, intervalOf, isCounted } from '@saldo/core'
import { csvOf } from './csv.ts'
import { type ExportedAccount, entriesIn } from './tables.ts'

const columns = [
  'description',
  'billable',
  'client',
  'project',
  'tags',
  'start',
  'end',
  'task',
  'user_name',
  'user_email',
].map((name) => ({ name }))

/**
 * Returns finished work that counts, in the layout of solidtime's import "Generic Time Entries", which billing tools
 * read too. The layout has no breaks: work with one inside is several rows. Times are in UTC, in whole seconds. Tags
 * have no commas, because it separates them by commas.
 */
export function solidtimeCsv(
  account: ExportedAccount,
  range: DateRange,
  user: { name: string; email: string },
): string {
  const pauses = coveredBy('break', account.entries, { start: Number.NEGATIVE_INFINITY, end: Number.POSITIVE_INFINITY })
  const rows = entriesIn(account, range).flatMap(({ entry }) => {
    const interval = intervalOf(entry)
    if (entry.kind !== 'work' || !interval || !isCounted(entry)) return []
    const { note, project, tags } = entry
    const names = tags.map((tag) => tag.replaceAll(',', ' ')).join(',')
    return difference([interval], pauses).map(({ start, end }) => {
      const times = [wholeSecond(start), wholeSecond(end)]
      return [note, 'false', '', project ?? '', names, ...times, '', user.name, user.email]
    })
  })
  return csvOf({ columns, rows })
}

function wholeSecond(ms: EpochMs): string {
  return `${new Date(Math.round(ms / 1_000) * 1_000).toISOString().slice(0, 19)}Z`
}
