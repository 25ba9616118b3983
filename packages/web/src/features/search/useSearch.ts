import { useEntries, useLive, useSaldo } from '@saldo/client/react'
import { addDays, type DurationMs } from '@saldo/core'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useTimeline, useToday, useZone } from '../../domain/account/TimelineProvider.tsx'
import { useAddressFields } from '../../domain/address.ts'
import { type Found, indexOf, type Query, search, timeFound } from '../../domain/entries/search.ts'
import { idsBetween, readSearchAddress, searchAddressOf } from './search-model.ts'

/** These days are read first, so that the newest results appear before a large account is read. */
const RECENT_DAYS = 60
const PLANNED_DAYS = 366

export interface Search {
  /** The query of the address. */
  query: Query
  /** Changes the query, and with it the address: as a new step of the history, or in place of this one. */
  ask(changed: Partial<Query>, options?: { replace: boolean }): void
  /** `undefined` until recent entries are read. */
  found: readonly Found[] | undefined
  /** False while `found` has recent entries only. */
  isComplete: boolean
  /** The time of the entries found, once all are read: breaks if these are asked for, else work. */
  timeMs: DurationMs
  /** The found entries that are selected. */
  selected: readonly Found[]
  isSelected(id: string): boolean
  select(ids: readonly string[], isOn: boolean): void
  /** `isRange`: also selects all entries between this one and the one selected before. */
  selectOne(id: string, isOn: boolean, isRange: boolean): void
}

/** Returns the query, the entries found and the selected ones. Typing never waits for the list. */
export function useSearch(): Search {
  const saldo = useSaldo()
  const zone = useZone()
  const { timeline } = useTimeline()
  const today = useToday()
  const recent = useEntries({ from: addDays(today, -RECENT_DAYS), to: addDays(today, PLANNED_DAYS) })
  const [isRecentShown, setRecentShown] = useState(false)
  if (recent && !isRecentShown) setRecentShown(true)
  const all = useLive(useMemo(() => (isRecentShown ? saldo.entries.all() : undefined), [saldo, isRecentShown]))
  const rows = all ?? recent
  const index = useMemo(() => rows && indexOf(rows, zone, today), [rows, zone, today])
  const address = useAddressFields()
  const [, go] = useLocation()
  const query = useMemo(() => readSearchAddress(address), [address])
  const asked = useDeferredValue(query)
  const found = useMemo(() => index && search(index, asked), [index, asked])
  const timeMs = useMemo(() => (all && index ? timeFound(index, asked, timeline) : 0), [all, index, asked, timeline])
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
      select(isRange ? idsBetween(all, lastId.current, id) : [id], isOn)
      lastId.current = id
    },
    [found, select],
  )
  return {
    query,
    ask: (changed, options) => go(searchAddressOf({ ...query, ...changed }), options),
    found,
    isComplete: all !== undefined,
    timeMs,
    selected,
    isSelected: (id) => ids.has(id),
    select,
    selectOne,
  }
}
