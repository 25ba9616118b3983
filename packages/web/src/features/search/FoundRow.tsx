import { Checkbox } from '@mantine/core'
import { epochMs, type ZoneName } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { isTimedRecord } from '../../ui/entries/parts.ts'
import { useFormat } from '../../ui/format/useFormat.ts'
import classes from './FoundList.module.css'
import type { Found } from './search.ts'

interface Props {
  row: Found
  zone: ZoneName
  isSelected: boolean
  onSelect(id: string, isOn: boolean): void
}

/** An entry that was found; it leads to its day. */
export function FoundRow({ row: { record, date }, zone, isSelected, onSelect }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const day = format.date(date, 'medium')
  const { times, length } = useWhen(record, zone)
  const { project, tags, note } = record
  const name = project ?? (tags.length === 0 && note === '' ? t(`entries.kind.${record.kind}`) : '')
  return (
    <div className={classes.row}>
      <Checkbox
        aria-label={t('search.select', { what: `${day}, ${times}` })}
        checked={isSelected}
        onChange={(event) => onSelect(record.id, event.currentTarget.checked)}
      />
      <Link href={`/day/${date}`} className={classes.main ?? ''}>
        <span className={classes.date}>{day}</span>
        <span className={classes.times}>{times}</span>
        <span className={classes.what}>
          <span className={classes.project}>{name}</span>
          {tags.map((tag) => (
            <span key={tag} className={classes.tag}>
              {` #${tag}`}
            </span>
          ))}
          {note !== '' && <span className={classes.note}>{` ${note}`}</span>}
        </span>
        <span className={classes.length}>{length}</span>
      </Link>
    </div>
  )
}

/** When an entry was, and how long it is, in words. */
function useWhen(record: Found['record'], zone: ZoneName): { times: string; length: string } {
  const { t } = useTranslation()
  const format = useFormat()
  if (!isTimedRecord(record)) {
    const isWhole = record.day_share === 1
    const share = format.percent(record.day_share)
    return { times: isWhole ? t('entries.wholeDay') : t('entries.shareOfDay', { share }), length: '' }
  }
  const startMs = epochMs(record.started_at)
  const start = format.time(startMs, zone)
  if (record.ended_at === null) return { times: `${start} – ${t('entries.now')}`, length: '' }
  const endMs = epochMs(record.ended_at)
  return { times: `${start} – ${format.time(endMs, zone)}`, length: format.duration(endMs - startMs) }
}
