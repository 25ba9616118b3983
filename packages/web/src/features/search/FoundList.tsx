import type { LocalDate } from '@saldo/core'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useZone } from '../../domain/account/useZone.ts'
import type { Found } from '../../domain/entries/search.ts'
import classes from './FoundList.module.css'
import { FoundRow, useRowTexts } from './FoundRow.tsx'
import { rowKeys } from './row-keys.ts'
import { type Drawn, rowsDrawn } from './rows-drawn.ts'

/** What a row is high in a wide window. */
const USUAL_ROW_PX = 46
const ROWS_OUT_OF_SIGHT = 5
/** A list rests that has not moved for so long. */
const REST_MS = 100

interface Props {
  /** What the list is called. */
  label: string
  found: readonly Found[]
  isSelected(id: string): boolean
  onSelect(id: string, isOn: boolean, isFurther: boolean): void
}

/** Any number of entries, of which only those in sight are drawn; where they go by too fast to be read, their month is told instead. */
export function FoundList({ label, found, isSelected, onSelect }: Props) {
  const textsOf = useRowTexts(useZone())
  const follow = useFollow()
  const list = useRef<HTMLUListElement>(null)
  const [topPx, setTopPx] = useState(0)
  useLayoutEffect(() => setTopPx(list.current?.offsetTop ?? 0), [])
  // Heights are remembered by place, as is usual, and not by id: see `useSearch` for what that would cost.
  const before = useRef<Drawn>(null)
  let drawn = before.current
  const virtualizer = useWindowVirtualizer({
    count: found.length,
    estimateSize: () => USUAL_ROW_PX,
    overscan: ROWS_OUT_OF_SIGHT,
    // Another one each time, since what is before is another.
    rangeExtractor(inSight) {
      drawn = rowsDrawn(inSight, before.current, virtualizer.isScrolling)
      return drawn.rows
    },
    scrollMargin: topPx,
    isScrollingResetDelay: REST_MS,
  })
  const items = virtualizer.getVirtualItems()
  const [keysOf] = useState(rowKeys)
  // What has the focus is not to become another entry.
  const hasFocus = list.current?.contains(document.activeElement) ?? false
  const keys = keysOf(
    items.map(({ index }) => found[index]?.record.id ?? String(index)),
    hasFocus,
  )
  useLayoutEffect(() => {
    before.current = drawn
  })
  // An element that is used again is measured by nobody else where it is as high as before.
  useLayoutEffect(() => {
    const elements = (list.current as HTMLUListElement).children
    for (const [place, { index }] of items.entries())
      virtualizer.resizeItem(index, (elements[place] as HTMLElement).offsetHeight)
  }, [virtualizer, items])
  const passing = drawn?.isFar ? found[drawn.inSight.startIndex] : undefined
  return (
    <div>
      {passing && <Month date={passing.date} />}
      <ul
        ref={list}
        className={classes.list}
        data-far={passing !== undefined}
        aria-label={label}
        style={{ height: virtualizer.getTotalSize() }}
      >
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
    </div>
  )
}

/** Where the list is, for who drags its bar. */
function Month({ date }: { date: LocalDate }) {
  return (
    <div className={classes.month} aria-hidden>
      <span>{useFormat().date(date, 'month')}</span>
    </div>
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
