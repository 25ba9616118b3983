import { addDays, LAST_DATE } from '@saldo/core'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { useToday } from '../../domain/account/useToday.ts'
import { useZone } from '../../domain/account/useZone.ts'
import { emptyQuery, type Found, indexOf, type Query, search } from '../../domain/entries/search.ts'
import { spanOf } from './span.ts'

/** How far back the newest entries lie, which are shown until all are read. */
const NEWEST_DAYS = 31

export interface Search {
  query: Query
  ask(changed: Partial<Query>): void
  /** `undefined` until entries are read. */
  found: readonly Found[] | undefined
  /** Whether all entries are read, or the newest only. */
  isWhole: boolean
  /** Those of the found that are selected. */
  selected: readonly Found[]
  isSelected(id: string): boolean
  select(ids: readonly string[], isOn: boolean): void
  /** `isFurther`: and all between it and the one that was selected before. */
  selectOne(id: string, isOn: boolean, isFurther: boolean): void
}

/** What is looked for, what is found, and what of it is selected. The field never waits for the list. */
export function useSearch(): Search {
  const saldo = useSaldo()
  const zone = useZone()
  const today = useToday()
  // As of when the view was opened: at midnight, all would be read anew, and the list lose its place.
  const [from] = useState(() => addDays(today, -NEWEST_DAYS))
  const newest = useLive(useMemo(() => saldo.entries.between({ from, to: LAST_DATE }), [saldo, from]))
  const hasNewest = newest !== undefined
  const all = useLive(useMemo(() => (hasNewest ? saldo.entries.all() : undefined), [saldo, hasNewest]))
  const isWhole = all !== undefined
  const rows = all ?? newest
  const index = useMemo(() => rows && indexOf(rows, zone), [rows, zone])
  const [query, setQuery] = useState<Query>(emptyQuery)
  const asked = useDeferredValue(query)
  // Of the newest alone it could not be said what is not there.
  const isKnown = isWhole || Object.values(asked).every((part) => part === '')
  const found = useMemo(() => (index && isKnown ? search(index, asked) : undefined), [index, isKnown, asked])
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  // Each id that a set is asked for becomes one of the engine's own strings, all of which a large collection goes through.
  const selected = useMemo(
    () => (ids.size === 0 ? [] : (found ?? []).filter(({ record }) => ids.has(record.id))),
    [found, ids],
  )
  const lastId = useRef<string>(undefined)
  const select = (changed: readonly string[], isOn: boolean) =>
    setIds((before) => (isOn ? before.union(new Set(changed)) : before.difference(new Set(changed))))
  return {
    query,
    ask: (changed) => setQuery((before) => ({ ...before, ...changed })),
    found,
    isWhole,
    selected,
    isSelected: (id) => ids.has(id),
    select,
    selectOne(id, isOn, isFurther) {
      const all = (found ?? []).map(({ record }) => record.id)
      select(isFurther ? spanOf(all, lastId.current, id) : [id], isOn)
      lastId.current = id
    },
  }
}
