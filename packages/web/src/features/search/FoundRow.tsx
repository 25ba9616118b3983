import type { ZoneName } from '@saldo/core'
import { memo } from 'react'
import { Link } from 'wouter'
import { useFormat } from '../../context/FormatProvider.tsx'
import { EntryLength } from '../../domain/entries/EntryLength.tsx'
import { EntryWords } from '../../domain/entries/EntryWords.tsx'
import type { Found } from '../../domain/entries/search.ts'
import { useWhen } from '../../domain/entries/useWhen.ts'
import classes from './FoundList.module.css'
import { SelectBox } from './SelectBox.tsx'

interface Props {
  row: Found
  zone: ZoneName
  isSelected: boolean
  /** `isRange`: also selects all rows between this one and the one selected before. */
  onSelect(id: string, isOn: boolean, isRange: boolean): void
}

/** A found entry with a link to its day. */
export const FoundRow = memo(function FoundRow({ row: { record, date }, zone, isSelected, onSelect }: Props) {
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
