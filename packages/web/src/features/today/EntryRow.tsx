import { UnstyledButton } from '@mantine/core'
import { type TimedRow, type WorkSubject, wallAt } from '@saldo/client/entries'
import { addDays, epochMs, type LocalDate, MINUTE_MS } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useNow } from '../../context/clock.ts'
import { useFormat } from '../../context/FormatProvider.tsx'
import { EntryLength } from '../../domain/entries/EntryLength.tsx'
import { EntryWords } from '../../domain/entries/EntryWords.tsx'
import type { Day } from '../../domain/entries/useDay.ts'
import { useEntryVerbs } from '../../domain/entries/useEntryVerbs.ts'
import { IconAction } from '../../ui/IconAction.tsx'
import { IconAlertTriangle, IconDeviceFloppy, IconPlayerPlay, IconTrash } from '../../ui/icons.ts'
import classes from './EntryRow.module.css'

interface Props {
  row: TimedRow
  day: Day
  onGoOn: (subject: WorkSubject) => void
  hasWarning: boolean
  onEdit: () => void
}

export function EntryRow({ row, day, onGoOn, hasWarning, onEdit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const { record, pending, part } = row
  const length =
    record.ended_at === null ? Math.max(0, nowMs - epochMs(record.started_at)) : part.whole.end - part.whole.start
  const isCut = part.beginsBefore || part.endsAfter
  return (
    <li className={classes.row} data-kind={record.kind} data-running={record.ended_at === null || undefined}>
      <UnstyledButton className={classes.main} onClick={onEdit}>
        <span className={classes.times}>
          <Span row={row} day={day} />
        </span>
        <span className={classes.what}>
          <EntryWords record={record} />
        </span>
        {hasWarning && (
          <IconAlertTriangle className={classes.odd} size={16} role="img" aria-label={t('today.hasWarning')} />
        )}
        {pending && (
          <IconDeviceFloppy className={classes.pending} size={16} role="img" aria-label={t('today.isPending')} />
        )}
        <span className={classes.length}>
          <EntryLength record={record}>{format.duration(length)}</EntryLength>
          {isCut && (
            <span className={classes.here}>
              {t('today.ofItHere', { time: format.duration(part.inside.end - part.inside.start) })}
            </span>
          )}
        </span>
      </UnstyledButton>
      <RowActions row={row} day={day} onGoOn={onGoOn} />
    </li>
  )
}

/** From when to when, truthfully where it crosses midnight. */
function Span({ row: { record, part }, day: { date, zone } }: Pick<Props, 'row' | 'day'>) {
  const { t } = useTranslation()
  const format = useFormat()
  const from = format.time(part.whole.start, zone)
  const [first, last] = [part.whole.start, part.whole.end].map((ms) => wallAt(ms, zone).date)
  const before = first === addDays(date, -1) ? t('today.dayBefore') : format.date(first as LocalDate, 'short')
  const after = last === addDays(date, 1) ? t('today.dayAfter') : format.date(last as LocalDate, 'short')
  return (
    <>
      {part.beginsBefore && <span className={classes.other}>{before} </span>}
      {from}
      {' – '}
      {record.ended_at === null ? t('entries.now') : format.time(part.whole.end, zone)}
      {part.endsAfter && <span className={classes.other}> {after}</span>}
    </>
  )
}

function RowActions({ row: { record }, day, onGoOn }: Pick<Props, 'row' | 'day' | 'onGoOn'>) {
  const { t } = useTranslation()
  const { remove } = useEntryVerbs()
  const isPlayable = record.kind === 'work' && record.ended_at !== null && day.date <= day.today
  return (
    <span className={classes.actions}>
      {isPlayable && <IconAction Icon={IconPlayerPlay} label={t('today.goOn')} onClick={() => onGoOn(record)} />}
      <IconAction Icon={IconTrash} label={t('ui.delete')} onClick={() => void remove(record)} />
    </span>
  )
}
