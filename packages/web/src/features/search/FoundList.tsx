import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useTranslation } from '../../i18n/TranslationProvider.tsx'
import { useZone } from '../../ui/account/useZone.ts'
import type { Found } from '../../ui/entries/search.ts'
import classes from './FoundList.module.css'
import { FoundRow, useRowTexts } from './FoundRow.tsx'

/** What a row is high in a wide window. */
const USUAL_ROW_PX = 46
const ROWS_OUT_OF_SIGHT = 5

interface Props {
  found: readonly Found[]
  isSelected(id: string): boolean
  onSelect(id: string, isOn: boolean, isFurther: boolean): void
}

/** Any number of entries, of which only those in sight are drawn. */
export function FoundList({ found, isSelected, onSelect }: Props) {
  const { t } = useTranslation()
  const textsOf = useRowTexts(useZone())
  const follow = useFollow()
  const list = useRef<HTMLUListElement>(null)
  const [topPx, setTopPx] = useState(0)
  useLayoutEffect(() => setTopPx(list.current?.offsetTop ?? 0), [])
  // Another one would have all rows placed anew, in each frame that scrolls.
  const getItemKey = useCallback((index: number) => found[index]?.record.id ?? index, [found])
  const virtualizer = useWindowVirtualizer({
    count: found.length,
    estimateSize: () => USUAL_ROW_PX,
    overscan: ROWS_OUT_OF_SIGHT,
    scrollMargin: topPx,
    getItemKey,
  })
  return (
    <ul
      ref={list}
      className={classes.list}
      aria-label={t('search.entries')}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ key, index, start }) => {
        const row = found[index]
        return (
          row && (
            <li
              key={key}
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
