import type { Interval } from '@saldo/core'
import { type PointerEvent, type RefObject, type TouchEvent, useState } from 'react'
import { drawn, type Scale } from './geometry.ts'

interface Stroke {
  pointerId: number
  fromMs: number
  toMs: number
}

/** Creates an entry on empty ground: by dragging a mouse or pen, or by a tap. */
export function useDrawing(ground: RefObject<HTMLDivElement | null>, scale: Scale, onDrawn: (span: Interval) => void) {
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
