import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useSaldo } from '../../context/saldo.tsx'
import { useLive } from '../../context/useLive.ts'
import { useZone } from '../../domain/account/useZone.ts'
import { emptyQuery, type Found, indexOf, type Query, search } from '../../domain/entries/search.ts'
import { spanOf } from './span.ts'

export interface Search {
  query: Query
  ask(changed: Partial<Query>): void
  /** `undefined` until entries are read. */
  found: readonly Found[] | undefined
  /** Those of the found that are selected. */
  selected: readonly Found[]
  isSelected(id: string): boolean
  select(ids: readonly string[], isOn: boolean): void
  /** `isRange`: and all between it and the one that was selected before. */
  selectOne(id: string, isOn: boolean, isRange: boolean): void
}

/** What is looked for, what is found, and what of it is selected. The field never waits for the list. */
export function useSearch(): Search {
  const saldo = useSaldo()
  const zone = useZone()
  const rows = useLive(useMemo(() => saldo.entries.all(), [saldo]))
  const index = useMemo(() => rows && indexOf(rows, zone), [rows, zone])
  const [query, setQuery] = useState<Query>(emptyQuery)
  const asked = useDeferredValue(query)
  const found = useMemo(() => index && search(index, asked), [index, asked])
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const selected = useMemo(() => (found ?? []).filter(({ record }) => ids.has(record.id)), [found, ids])
  const lastId = useRef<string>(undefined)
  const select = useCallback(
    (changed: readonly string[], isOn: boolean) =>
      setIds((before) => (isOn ? before.union(new Set(changed)) : before.difference(new Set(changed)))),
    [],
  )
  const selectOne = useCallback<Search['selectOne']>(
    (id, isOn, isRange) => {
      const all = (found ?? []).map(({ record }) => record.id)
      select(isRange ? spanOf(all, lastId.current, id) : [id], isOn)
      lastId.current = id
    },
    [found, select],
  )
  return {
    query,
    ask: (changed) => setQuery((before) => ({ ...before, ...changed })),
    found,
    selected,
    isSelected: (id) => ids.has(id),
    select,
    selectOne,
  }
}
