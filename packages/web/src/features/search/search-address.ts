import { dayEntryKinds, timedEntryKinds } from '@saldo/core'
import { addressWith, filterFields, readDate, readFilter } from '../../domain/entries/filter-address.ts'
import type { Query } from '../../domain/entries/search.ts'

const PATH = '/search'

/** Returns the address of a search. Its fields are named like those of a report. */
export function addressOf({ from, to, isRunning, ...filter }: Query): string {
  return addressWith(PATH, { from, to, ...filterFields(filter), running: isRunning ? '1' : '' })
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
