import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterPaint } from './after-paint.ts'

// Node paints nothing: here are frames that come when they are told to.
let frames = new Map<number, () => void>()

beforeEach(() => {
  vi.useFakeTimers()
  frames = new Map()
  vi.stubGlobal('requestAnimationFrame', (act: () => void) => {
    frames.set(frames.size + 1, act)
    return frames.size
  })
  vi.stubGlobal('cancelAnimationFrame', (frame: number) => frames.delete(frame))
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function paint(): void {
  for (const act of frames.values()) act()
  frames.clear()
}

test('it acts after the frame, once', () => {
  const act = vi.fn()
  afterPaint(act)
  paint()
  expect(act).not.toHaveBeenCalled()
  vi.runAllTimers()
  expect(act).toHaveBeenCalledOnce()
})

test('without a frame it acts all the same, and not again when one comes at last', () => {
  const act = vi.fn()
  afterPaint(act)
  vi.runAllTimers()
  expect(act).toHaveBeenCalledOnce()
  paint()
  vi.runAllTimers()
  expect(act).toHaveBeenCalledOnce()
})

test.each(['before the frame', 'after it'])('called off %s, it does not act', (when) => {
  const act = vi.fn()
  const callOff = afterPaint(act)
  if (when === 'after it') paint()
  callOff()
  paint()
  vi.runAllTimers()
  expect(act).not.toHaveBeenCalled()
})
