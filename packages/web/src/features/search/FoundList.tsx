import { Button } from '@mantine/core'
import type { ZoneName } from '@saldo/core'
import { memo, useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { useToday, useZone } from '../../domain/account/TimelineProvider.tsx'
import { EntryLength, EntryWords } from '../../domain/entries/EntryWords.tsx'
import { useWhen } from '../../domain/entries/entry-texts.ts'
import type { Found } from '../../domain/entries/search.ts'
import { useTranslation } from '../../i18n/translation.ts'
import classes from './FoundList.module.css'
import { SelectBox } from './SelectBox.tsx'

interface FoundRowProps {
  row: Found
  zone: ZoneName
  isSelected: boolean
  /** `isRange`: also selects all rows between this one and the one selected before. */
  onSelect(id: string, isOn: boolean, isRange: boolean): void
}

/** A found entry with a link to its day. */
const FoundRow = memo(function FoundRow({ row: { record, date }, zone, isSelected, onSelect }: FoundRowProps) {
  const { times, length } = useWhen()(record, zone)
  const day = useFormat().date(date, 'medium')
  return (
    <div className={classes.row}>
      <SelectBox
        label={`${day}, ${times}`}
        isOn={isSelected}
        onChange={({ currentTarget: { checked }, nativeEvent }) =>
          onSelect(record.id, checked, (nativeEvent as PointerEvent).shiftKey)
        }
      />
      <Link href={`/day/${date}`} className={classes.main ?? ''}>
        <span className={classes.date}>{day}</span>
        <span className={classes.times}>{times}</span>
        <span className={classes.what}>
          <EntryWords record={record} />
        </span>
        <span className={classes.length}>
          <EntryLength record={record}>{length}</EntryLength>
        </span>
      </Link>
    </div>
  )
})

const PAGE_ROWS = 100
/** The next rows load before the end of the list is in sight. */
const LOAD_AHEAD = '800px'

interface Props {
  label: string
  found: readonly Found[]
  isSelected(id: string): boolean
  /** `isRange`: also selects all rows between this one and the one selected before. */
  onSelect(id: string, isOn: boolean, isRange: boolean): void
}

/** The entries found. The list loads more rows as it scrolls, or by its button. */
export function FoundList({ label, found, isSelected, onSelect }: Props) {
  const { t } = useTranslation()
  const zone = useZone()
  const [shownCount, setShownCount] = useState(PAGE_ROWS)
  const end = useRef<HTMLDivElement>(null)
  const showMore = () => setShownCount((count) => count + PAGE_ROWS)
  const today = useToday()
  // Coming days follow all that has been.
  const firstAhead = found.findIndex(({ date }) => date > today)
  const hasMore = found.length > shownCount
  // The observer starts anew after each page, so that it also reports an end that is still in sight. A slow browser
  // reports several moments at once, the first of them from before the scroll.
  useEffect(() => {
    if (!hasMore || !end.current) return undefined
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setShownCount(shownCount + PAGE_ROWS),
      { rootMargin: LOAD_AHEAD },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [hasMore, shownCount])
  return (
    <div>
      <ul className={classes.list} aria-label={label}>
        {found.slice(0, shownCount).map((row, index) => (
          <li key={row.record.id} className={classes.item} aria-setsize={found.length} aria-posinset={index + 1}>
            {index === firstAhead && <p className={classes.ahead}>{t('search.ahead')}</p>}
            <FoundRow row={row} zone={zone} isSelected={isSelected(row.record.id)} onSelect={onSelect} />
          </li>
        ))}
      </ul>
      {hasMore && (
        <div ref={end} className={classes.more}>
          <Button variant="default" onClick={showMore}>
            {t('search.more')}
          </Button>
        </div>
      )}
    </div>
  )
}
