import { HOUR_MS, type Interval, MINUTE_MS } from '@saldo/core'
import { memo, type PointerEvent, type RefObject, type TouchEvent, useRef, useState } from 'react'
import { useNow } from '../../../context/clock.ts'
import { useFormat } from '../../../context/FormatProvider.tsx'
import { type EditedEntry, editedEntryOf, newWork } from '../../../domain/entries/editor/edited-entry.ts'
import type { Day } from '../../../domain/entries/useDay.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { Block } from './Block.tsx'
import { drawn, hourMarks, lanesOf, positionIn, type Scale, shownHours, showsNow } from './geometry.ts'
import classes from './TimeLine.module.css'

interface Stroke {
  pointerId: number
  fromMs: number
  toMs: number
}

/** Creates an entry on empty ground: by dragging a mouse or pen, or by a tap. */
function useDrawing(ground: RefObject<HTMLDivElement | null>, scale: Scale, onDrawn: (span: Interval) => void) {
  const [stroke, setStroke] = useState<Stroke>()
  const timeAt = (event: PointerEvent) => {
    const top = ground.current?.getBoundingClientRect().top ?? 0
    return scale.shown.start + (event.clientY - top) * scale.msPerPx()
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLDivElement>) {
      if (event.target !== event.currentTarget || event.button !== 0) return
      const ms = timeAt(event)
      // A finger that moves scrolls; the browser then cancels the pointer.
      if (event.pointerType !== 'touch') event.currentTarget.setPointerCapture(event.pointerId)
      setStroke({ pointerId: event.pointerId, fromMs: ms, toMs: ms })
    },
    onPointerMove(event: PointerEvent) {
      if (stroke?.pointerId === event.pointerId) setStroke({ ...stroke, toMs: timeAt(event) })
    },
    onPointerUp(event: PointerEvent) {
      if (stroke?.pointerId !== event.pointerId) return
      setStroke(undefined)
      onDrawn(drawn(stroke.fromMs, timeAt(event), scale.shown))
    },
    onPointerCancel: () => setStroke(undefined),
    /** Keeps the click of a tap from the dialog that the tap opens. */
    onTouchEnd(event: TouchEvent) {
      if (event.target === event.currentTarget) event.preventDefault()
    },
  }
  return { drawn: stroke && drawn(stroke.fromMs, stroke.toMs, scale.shown), handlers }
}

interface Props {
  day: Day
  onEdit: (edited: EditedEntry) => void
}

/** The day from top to bottom. Dragging creates an entry on empty ground, moves a block, or resizes it by its ends. */
export const TimeLine = memo(function TimeLine({ day, onEdit }: Props) {
  const { t } = useTranslation()
  const format = useFormat()
  const nowMs = useNow(MINUTE_MS)
  const ground = useRef<HTMLDivElement>(null)
  const shown = shownHours(
    day.window,
    day.timed.map(({ part }) => part.inside),
  )
  const scale: Scale = {
    shown,
    msPerPx: () => (shown.end - shown.start) / (ground.current?.clientHeight || 1),
    place: (span) => positionIn(shown, span),
  }
  const { drawn, handlers } = useDrawing(ground, scale, (span) =>
    onEdit({ ...newWork(span, day.zone), hasTimes: true }),
  )
  const lanes = lanesOf(day.timed.map(({ part }) => part.inside))
  return (
    <section className={classes.line} aria-label={t('today.line.label')}>
      <p className="visually-hidden" id="time-line-keys">
        {t('today.line.keys')}
      </p>
      <div className={classes.hours} aria-hidden>
        {hourMarks(shown).map((ms) => (
          <span key={ms} style={{ top: scale.place({ start: ms, end: ms }).top }}>
            {format.hour(ms, day.zone)}
          </span>
        ))}
      </div>
      <div
        ref={ground}
        className={classes.ground}
        style={{ '--hours': (shown.end - shown.start) / HOUR_MS } as React.CSSProperties}
        {...handlers}
      >
        {hourMarks(shown).map((ms) => (
          <div key={ms} className={classes.mark} style={{ top: scale.place({ start: ms, end: ms }).top }} />
        ))}
        {day.timed.map((row, index) => (
          <Block
            key={row.record.id}
            row={row}
            day={day}
            scale={scale}
            lane={lanes[index] ?? { index: 0, count: 1 }}
            onEdit={() => onEdit(editedEntryOf(row.record))}
          />
        ))}
        {drawn && (
          <div className={classes.drawn} style={scale.place(drawn)}>
            {`${format.time(drawn.start, day.zone)} – ${format.time(drawn.end, day.zone)}`}
          </div>
        )}
        {showsNow(day, shown, nowMs) && (
          <div className={classes.now} style={{ top: scale.place({ start: nowMs, end: nowMs }).top }} />
        )}
      </div>
    </section>
  )
})
