import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useZone } from '../../ui/account/useZone.ts'
import type { Found } from '../../ui/entries/search.ts'
import classes from './FoundList.module.css'
import { FoundRow } from './FoundRow.tsx'

const USUAL_ROW_PX = 46

interface Props {
  found: readonly Found[]
  isSelected(id: string): boolean
  onSelect(id: string, isOn: boolean, isFurther: boolean): void
}

/** Any number of entries, of which only those in sight are drawn. */
export function FoundList({ found, isSelected, onSelect }: Props) {
  const { t } = useTranslation()
  const zone = useZone()
  const list = useRef<HTMLUListElement>(null)
  const [topPx, setTopPx] = useState(0)
  useLayoutEffect(() => setTopPx(list.current?.offsetTop ?? 0), [])
  const virtualizer = useWindowVirtualizer({
    count: found.length,
    estimateSize: () => USUAL_ROW_PX,
    overscan: 10,
    scrollMargin: topPx,
    getItemKey: (index) => found[index]?.record.id ?? index,
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
              <FoundRow row={row} zone={zone} isSelected={isSelected(row.record.id)} onSelect={onSelect} />
            </li>
          )
        )
      })}
    </ul>
  )
}
