import type { TimedRow } from '@saldo/client/entries'
import { isCounted } from '@saldo/core'
import { useFormat } from '../../../context/FormatProvider.tsx'
import type { Day } from '../../../domain/entries/useDay.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import classes from './Block.module.css'
import { blockSize, type Lane, placeAcross, type Scale, shownTimes } from './geometry.ts'
import { useMoving } from './useMoving.ts'

interface Props {
  row: TimedRow
  day: Day
  scale: Scale
  lane: Lane
  onEdit: () => void
}

/** An entry on the timeline. An end outside the day has an open edge and cannot be resized. */
export function Block({ row, day, scale, lane, onEdit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const { record, part } = row
  const { span, isMoving, handlers, gripHandlers } = useMoving(row, day, scale, onEdit)
  const times = shownTimes(part, span)
  const from = format.time(times.start, day.zone)
  const to = record.ended_at === null ? t('entries.now') : format.time(times.end, day.zone)
  const subject = record.kind === 'break' ? t('entries.kind.break') : (record.project ?? t('entries.kind.work'))
  const name = isCounted(record) ? subject : `${subject}, ${t('entries.notCounted')}`
  return (
    <div
      className={classes.block}
      data-kind={record.kind}
      data-counted={isCounted(record)}
      data-moving={isMoving || undefined}
      data-running={record.ended_at === null || undefined}
      data-size={blockSize(span)}
      data-before={part.beginsBefore || undefined}
      data-after={part.endsAfter || undefined}
      style={{ ...scale.place(span), ...placeAcross(lane) }}
    >
      <button type="button" className={classes.body} aria-describedby="time-line-keys" {...handlers}>
        <span className={classes.name}>{name}</span>
        <span className={classes.times}>{` ${from} – ${to}`}</span>
        <span className="visually-hidden">{` (${format.duration(span.end - span.start)})`}</span>
      </button>
      {!part.beginsBefore && <div className={classes.gripStart} aria-hidden {...gripHandlers('start')} />}
      {!part.endsAfter && record.ended_at !== null && (
        <div className={classes.gripEnd} aria-hidden {...gripHandlers('end')} />
      )}
      <span className="visually-hidden" aria-live="polite">
        {isMoving ? `${from} – ${to}` : ''}
      </span>
    </div>
  )
}
