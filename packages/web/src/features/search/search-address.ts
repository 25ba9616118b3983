import { dayEntryKinds, FIRST_DATE, LAST_DATE, type LocalDate, timedEntryKinds } from '@saldo/core'
import { addressWith, filterFields, readDate, readFilter } from '../../domain/entries/filter-address.ts'
import type { Query } from '../../domain/entries/search.ts'
import { addressOf as addressOfReport, datesOf } from '../../domain/reports/report-query.ts'

const PATH = '/search'

/** Returns the address of a search. Its fields are named like those of a report. */
export function addressOf({ from, to, isRunning, ...filter }: Query): string {
  return addressWith(PATH, { from, to, ...filterFields(filter), running: isRunning ? '1' : '' })
}

/** Returns the address of the report of the same time. Running entries and absences have none. */
export function reportAddress({ from, to, isRunning, ...filter }: Query, today: LocalDate): string | undefined {
  const hasTime = filter.kind === '' || filter.kind === 'work' || filter.kind === 'break'
  if (isRunning || !hasTime) return undefined
  const range = { from: from === '' ? FIRST_DATE : from, to: to === '' ? LAST_DATE : to }
  return addressOfReport({ ...filter, dates: datesOf(range, today) })
}

/** Reads the part of an address after `?`. Fields that are malformed are no limit. */
export function readAddress(search: string): Query {
  const params = new URLSearchParams(search)
  return {
    from: readDate(params, 'from') ?? '',
    to: readDate(params, 'to') ?? '',
    ...readFilter(params, [...timedEntryKinds, ...dayEntryKinds]),
    isRunning: params.get('running') === '1',
  }
}
