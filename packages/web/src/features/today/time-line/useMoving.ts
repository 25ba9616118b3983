import type { TimedRow } from '@saldo/client/entries'
import type { Interval } from '@saldo/core'
import { type KeyboardEvent, type PointerEvent, type TouchEvent, useEffect, useRef, useState } from 'react'
import type { Day } from '../../../domain/entries/useDay.ts'
import { useEntryActions } from '../../../domain/entries/useEntryActions.ts'
import { useTranslation } from '../../../i18n/translation.ts'
import { dragged, type Grip, gripFor, type Scale } from './geometry.ts'
import { isDrag, movedByKey, opensEditor, patchOfMove, wantedGrip } from './moves.ts'

/** A move by keys is saved after this pause. */
const SETTLE_MS = 700

interface Hold {
  grip: Grip
  pointerId: number
  fromY: number
  hasMoved: boolean
}

/**
 * Moves and resizes a block by pointer and by keys. The shown time is saved when the pointer is released, or after a
 * pause of the keys.
 */
export function useMoving({ record, part }: TimedRow, day: Day, scale: Scale, onEdit: () => void) {
  const { t } = useTranslation()
  const { make, remove } = useEntryActions()
  const [moved, setMoved] = useState<Interval>()
  const hold = useRef<Hold>(undefined)
  const settling = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wasFocused = useRef(false)
  const isRunning = record.ended_at === null
  useEffect(() => () => clearTimeout(settling.current), [])

  // The saved move has become the entry's own time.
  const { start, end } = part.inside
  const [shown, setShown] = useState({ start, end })
  if (shown.start !== start || shown.end !== end) {
    setShown({ start, end })
    setMoved(undefined)
  }

  const keep = async (span: Interval | undefined) => {
    clearTimeout(settling.current)
    if (!span) return
    const patch = patchOfMove(part.inside, span, isRunning)
    const isKept = Object.keys(patch).length > 0
    const outcome = isKept && (await make([{ op: 'update', record, patch }], t('entries.changed')))
    if (outcome !== 'made') setMoved(undefined)
  }
  const grasp = (grip: Grip) => (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.stopPropagation()
    wasFocused.current = document.activeElement === event.currentTarget
    hold.current = { grip, pointerId: event.pointerId, fromY: event.clientY, hasMoved: false }
    event.currentTarget.setPointerCapture(event.pointerId)
  }
  /** Returns the current time of the dragged block; `undefined` before it is dragged. */
  const spanHeld = ({ pointerId, clientY }: PointerEvent): Interval | undefined => {
    const held = hold.current
    const grip = held && gripFor(held.grip, part, isRunning)
    if (!grip || held.pointerId !== pointerId) return undefined
    const px = clientY - held.fromY
    held.hasMoved ||= isDrag(px)
    return held.hasMoved ? dragged(part.inside, grip, px * scale.msPerPx(), day.window) : undefined
  }
  const drag = (event: PointerEvent) => {
    const span = spanHeld(event)
    if (span) setMoved(span)
  }
  const release = (event: PointerEvent) => {
    // The shown time may be one event behind.
    const span = spanHeld(event)
    const held = hold.current
    hold.current = undefined
    if (span) {
      setMoved(span)
      void keep(span)
    } else if (held && opensEditor(held.grip, event.pointerType, wasFocused.current)) onEdit()
  }
  /** Keeps the click of a tap from the dialog that the tap opens. A first tap needs it, for the focus. */
  const endTouch = (event: TouchEvent) => {
    if (wasFocused.current) event.preventDefault()
  }
  const drop = () => {
    hold.current = undefined
    setMoved(undefined)
  }

  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      event.preventDefault()
      const grip = gripFor(wantedGrip(event), part, isRunning)
      const next = grip && movedByKey(event.key, moved ?? part.inside, grip, day.window)
      if (!next) return
      setMoved(next)
      clearTimeout(settling.current)
      settling.current = setTimeout(() => void keep(next), SETTLE_MS)
    } else if (event.key === 'Escape' && moved) {
      clearTimeout(settling.current)
      setMoved(undefined)
    } else if (event.key === 'Delete' || event.key === 'Backspace') void remove(record)
    else if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      onEdit()
    }
  }

  const pointer = (grip: Grip) => ({
    onPointerDown: grasp(grip),
    onPointerMove: drag,
    onPointerUp: release,
    onPointerCancel: drop,
    onTouchEnd: endTouch,
  })
  return {
    span: moved ?? part.inside,
    isMoving: moved !== undefined,
    handlers: { ...pointer('move'), onKeyDown: press, onBlur: () => void keep(moved) },
    gripHandlers: pointer,
  }
}
