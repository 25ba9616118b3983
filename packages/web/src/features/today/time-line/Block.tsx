import type { TimedRow } from '@saldo/client/entries'
import { isCounted } from '@saldo/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../context/FormatProvider.tsx'
import type { Day } from '../../../domain/entries/useDay.ts'
import classes from './Block.module.css'
import type { Lane, Scale } from './geometry.ts'
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
  const isWhole = !part.beginsBefore && !part.endsAfter
  const from = format.time(isWhole ? span.start : part.whole.start, day.zone)
  const to = record.ended_at === null ? t('entries.now') : format.time(isWhole ? span.end : part.whole.end, day.zone)
  const subject = record.kind === 'break' ? t('entries.kind.break') : (record.project ?? t('entries.kind.work'))
  const name = isCounted(record) ? subject : `${subject}, ${t('entries.notCounted')}`
  const minutes = (span.end - span.start) / 60_000
  return (
    <div
      className={classes.block}
      data-kind={record.kind}
      data-counted={isCounted(record)}
      data-moving={isMoving || undefined}
      data-running={record.ended_at === null || undefined}
      data-size={minutes < 25 ? 'tiny' : minutes < 50 ? 'small' : 'full'}
      data-before={part.beginsBefore || undefined}
      data-after={part.endsAfter || undefined}
      style={{
        ...scale.place(span),
        left: `${(lane.index / lane.count) * 100}%`,
        width: `calc(${100 / lane.count}% - 2px)`,
      }}
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
