import { HOUR_MS, instantOf } from '@saldo/core'
import { expect, test } from 'vitest'
import { STEP_MS } from './geometry.ts'
import { isDrag, movedByKey, opensEditor, patchOfMove, wantedGrip } from './moves.ts'

const span = { start: 9 * HOUR_MS, end: 12 * HOUR_MS }
const day = { start: 0, end: 24 * HOUR_MS }

test('a pointer drags from four pixels on, up and down', () => {
  expect([-4, -3, 0, 3, 4].map(isDrag)).toEqual([true, false, false, false, true])
})

test('a move changes only the times that differ, and never the end of running work', () => {
  const later = { start: 10 * HOUR_MS, end: 13 * HOUR_MS }
  const started_at = instantOf(later.start)
  const ended_at = instantOf(later.end)
  expect(patchOfMove(span, later, false)).toEqual({ started_at, ended_at })
  expect(patchOfMove(span, { ...span, start: later.start }, false)).toEqual({ started_at })
  expect(patchOfMove(span, { ...span, end: later.end }, false)).toEqual({ ended_at })
  expect(patchOfMove(span, later, true)).toEqual({ started_at })
  expect(patchOfMove(span, { ...span }, false)).toEqual({})
})

test('arrow keys move an entry, with Shift its end, with Alt its start', () => {
  const gripOf = (shiftKey: boolean, altKey: boolean) => wantedGrip({ key: 'ArrowUp', shiftKey, altKey })
  expect([gripOf(false, false), gripOf(true, false), gripOf(false, true)]).toEqual(['move', 'end', 'start'])
  expect(movedByKey('ArrowUp', span, 'move', day)).toEqual({ start: span.start - STEP_MS, end: span.end - STEP_MS })
  expect(movedByKey('ArrowDown', span, 'end', day)).toEqual({ ...span, end: span.end + STEP_MS })
  expect(movedByKey('ArrowDown', span, 'start', day)).toEqual({ ...span, start: span.start + STEP_MS })
  expect(movedByKey('ArrowLeft', span, 'move', day)).toBeUndefined()
})

test('a tap on a block opens the editor, with a finger only if the block has the focus already', () => {
  expect([opensEditor('move', 'mouse', false), opensEditor('move', 'pen', true)]).toEqual([true, true])
  expect([opensEditor('move', 'touch', false), opensEditor('move', 'touch', true)]).toEqual([false, true])
  expect([opensEditor('start', 'mouse', true), opensEditor('end', 'touch', true)]).toEqual([false, false])
})
