import type { Entry, LocalDate, ZoneName } from '@saldo/core'
import { type MouseEvent, memo, useCallback } from 'react'
import { useFormat } from '../../context/FormatProvider.tsx'
import { EntryWords } from '../../domain/entries/EntryWords.tsx'
import type { Found } from '../../domain/entries/search.ts'
import { useWhen } from '../../domain/entries/useWhen.ts'
import classes from './FoundList.module.css'
import { SelectBox } from './SelectBox.tsx'

interface Texts {
  day: string
  times: string
  length: string
}

interface Props {
  row: Found
  textsOf(record: Entry, date: LocalDate): Texts
  isSelected: boolean
  /** `isFurther`: and all between it and the one before. */
  onSelect(id: string, isOn: boolean, isFurther: boolean): void
  onFollow(event: MouseEvent<HTMLAnchorElement>): void
}

/**
 * An entry that was found; it leads to its day. Rows are drawn by dozens in a frame while thousands of entries go by: they
 * have plain elements, and ask for nothing.
 */
export const FoundRow = memo(function FoundRow({
  row: { record, date },
  textsOf,
  isSelected,
  onSelect,
  onFollow,
}: Props) {
  const { day, times, length } = textsOf(record, date)
  return (
    <div className={classes.row}>
      <SelectBox
        label={`${day}, ${times}`}
        isOn={isSelected}
        onChange={({ currentTarget: { checked }, nativeEvent }) =>
          onSelect(record.id, checked, (nativeEvent as PointerEvent).shiftKey)
        }
      />
      <a href={`/day/${date}`} className={classes.main} onClick={onFollow}>
        <span className={classes.date}>{day}</span>
        <span className={classes.times}>{times}</span>
        <span className={classes.what}>
          <EntryWords record={record} />
        </span>
        <span className={classes.length}>{length}</span>
      </a>
    </div>
  )
})

/** Tells what rows say in a zone. */
export function useRowTexts(zone: ZoneName): Props['textsOf'] {
  const format = useFormat()
  const when = useWhen()
  return useCallback(
    (record, date) => ({ day: format.date(date, 'medium'), ...when(record, zone) }),
    [format, when, zone],
  )
}
