import type { TimedRecord } from '@saldo/client/entries'
import { type Interval, instantOf } from '@saldo/core'
import { dragged, type Grip, STEP_MS } from './geometry.ts'

/** A pointer drags after this distance, in pixels. */
const SLACK_PX = 4

/** True if a pointer has moved so far that it drags, and does not tap. */
export function isDrag(distancePx: number): boolean {
  return Math.abs(distancePx) >= SLACK_PX
}

/** True if a tap opens the editor. The first tap of a finger only focuses a block, and a tap on an end does nothing. */
export function opensEditor(grip: Grip, pointerType: string, wasFocused: boolean): boolean {
  return grip === 'move' && (pointerType !== 'touch' || wasFocused)
}

/** Returns the changed times of an entry that was moved from one span to another. A running entry keeps no end. */
export function patchOfMove(from: Interval, to: Interval, isRunning: boolean): Partial<TimedRecord> {
  return {
    ...(to.start !== from.start && { started_at: instantOf(to.start) }),
    ...(to.end !== from.end && !isRunning && { ended_at: instantOf(to.end) }),
  }
}

/** A pressed key, as a keyboard event has it. */
export interface PressedKey {
  key: string
  shiftKey: boolean
  altKey: boolean
}

/** Returns what an arrow key moves: all of an entry, with Shift its end, with Alt its start. */
export function wantedGrip({ shiftKey, altKey }: PressedKey): Grip {
  return shiftKey ? 'end' : altKey ? 'start' : 'move'
}

/** Returns an entry's time a step up or down; `undefined` for other keys. */
export function movedByKey(key: string, span: Interval, grip: Grip, bounds: Interval): Interval | undefined {
  const direction = { ArrowUp: -1, ArrowDown: 1 }[key]
  return direction === undefined ? undefined : dragged(span, grip, direction * STEP_MS, bounds)
}
