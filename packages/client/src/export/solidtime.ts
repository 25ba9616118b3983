import { type DateRange, type EpochMs, epochMs, isTimed } from '@saldo/core'
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
 * Returns finished work in the layout of solidtime's import "Generic Time Entries", which billing tools read too. Times
 * are in UTC, in whole seconds. It has no commas in tags, because it separates them by commas.
 */
export function solidtimeCsv(
  account: ExportedAccount,
  range: DateRange,
  user: { name: string; email: string },
): string {
  const rows = entriesIn(account, range)
    .map(({ entry }) => entry)
    .filter((entry) => isTimed(entry))
    .filter(({ kind }) => kind === 'work')
    .flatMap(({ note, project, tags, started_at, ended_at }) => {
      if (ended_at === null) return []
      const names = tags.map((tag) => tag.replaceAll(',', ' ')).join(',')
      const times = [wholeSecond(epochMs(started_at)), wholeSecond(epochMs(ended_at))]
      return [[note, 'false', '', project ?? '', names, ...times, '', user.name, user.email]]
    })
  return csvOf({ columns, rows })
}

function wholeSecond(ms: EpochMs): string {
  return `${new Date(Math.round(ms / 1_000) * 1_000).toISOString().slice(0, 19)}Z`
}
