import { type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useZone } from '../../ui/account/useZone.ts'
import type { Found } from '../../ui/entries/search.ts'
import classes from './FoundList.module.css'
import { FoundRow, useRowTexts } from './FoundRow.tsx'
import { rowKeys } from './row-keys.ts'
import { rowsDrawn } from './rows-drawn.ts'

/** What a row is high in a wide window. */
const USUAL_ROW_PX = 46
const ROWS_OUT_OF_SIGHT = 5

interface Props {
  /** What the list is called. */
  label: string
  found: readonly Found[]
  isSelected(id: string): boolean
  onSelect(id: string, isOn: boolean, isFurther: boolean): void
}

/** Any number of entries, of which only those in sight are drawn. */
export function FoundList({ label, found, isSelected, onSelect }: Props) {
  const textsOf = useRowTexts(useZone())
  const follow = useFollow()
  const list = useRef<HTMLUListElement>(null)
  const [topPx, setTopPx] = useState(0)
  useLayoutEffect(() => setTopPx(list.current?.offsetTop ?? 0), [])
  // Another one would have all rows placed anew, in each frame that scrolls.
  const getItemKey = useCallback((index: number) => found[index]?.record.id ?? index, [found])
  const before = useRef<Pick<Range, 'startIndex' | 'endIndex'>>(null)
  const virtualizer = useWindowVirtualizer({
    count: found.length,
    estimateSize: () => USUAL_ROW_PX,
    overscan: ROWS_OUT_OF_SIGHT,
    // Another one each time, since what is before is another.
    rangeExtractor: (inSight) => rowsDrawn(inSight, before.current),
    scrollMargin: topPx,
    getItemKey,
  })
  const items = virtualizer.getVirtualItems()
  const [keysOf] = useState(rowKeys)
  // What has the focus is not to become another entry.
  const hasFocus = list.current?.contains(document.activeElement) ?? false
  const keys = keysOf(
    items.map(({ key }) => String(key)),
    hasFocus,
  )
  useLayoutEffect(() => {
    before.current = virtualizer.range
  })
  // An element that is used again is measured by nobody else where it is as high as before.
  useLayoutEffect(() => {
    const elements = (list.current as HTMLUListElement).children
    for (const [place, { index }] of items.entries())
      virtualizer.resizeItem(index, (elements[place] as HTMLElement).offsetHeight)
  }, [virtualizer, items])
  return (
    <ul ref={list} className={classes.list} aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
      {items.map(({ index, start }, place) => {
        const row = found[index]
        return (
          row && (
            <li
              key={keys[place]}
              ref={virtualizer.measureElement}
              data-index={index}
              aria-setsize={found.length}
              aria-posinset={index + 1}
              className={classes.item}
              style={{ transform: `translateY(${start - topPx}px)` }}
            >
              <FoundRow
                row={row}
                textsOf={textsOf}
                isSelected={isSelected(row.record.id)}
                onSelect={onSelect}
                onFollow={follow}
              />
            </li>
          )
        )
      })}
    </ul>
  )
}

/** Follows a link within the app, unless another window was asked for. One for all rows, where each `Link` listens to the address. */
function useFollow(): (event: MouseEvent<HTMLAnchorElement>) => void {
  const [, go] = useLocation()
  return useCallback(
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.button !== 0) return
      event.preventDefault()
      go(event.currentTarget.pathname)
    },
    [go],
  )
}
