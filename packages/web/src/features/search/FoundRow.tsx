import { Checkbox } from '@mantine/core'
import type { ZoneName } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { EntryWords } from '../../ui/entries/EntryWords.tsx'
import type { Found } from '../../ui/entries/search.ts'
import { useWhen } from '../../ui/entries/useWhen.ts'
import { useFormat } from '../../ui/format/useFormat.ts'
import classes from './FoundList.module.css'

interface Props {
  row: Found
  zone: ZoneName
  isSelected: boolean
  /** `isFurther`: and all between it and the one before. */
  onSelect(id: string, isOn: boolean, isFurther: boolean): void
}

/** An entry that was found; it leads to its day. */
export function FoundRow({ row: { record, date }, zone, isSelected, onSelect }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const day = format.date(date, 'medium')
  const { times, length } = useWhen()(record, zone)
  return (
    <div className={classes.row}>
      <Checkbox
        aria-label={t('search.select', { what: `${day}, ${times}` })}
        checked={isSelected}
        onChange={({ currentTarget: { checked }, nativeEvent }) =>
          onSelect(record.id, checked, (nativeEvent as MouseEvent).shiftKey)
        }
      />
      <Link href={`/day/${date}`} className={classes.main ?? ''}>
        <span className={classes.date}>{day}</span>
        <span className={classes.times}>{times}</span>
        <span className={classes.what}>
          <EntryWords record={record} />
        </span>
        <span className={classes.length}>{length}</span>
      </Link>
    </div>
  )
}
