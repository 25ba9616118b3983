import type { Effect } from '../effect.ts'

const WORK = 20_000
/** So many frames are looked at after a list was scrolled, in which it may draw what it did not while it moved. */
const FRAMES_AFTER = 20

function isSeen({ selector, isGone = false, not, value }: Effect): boolean {
  const element = document.querySelector(selector)
  if (isGone || !element) return isGone && !element
  if (value !== undefined) return (element as HTMLInputElement).value === value
  return not === undefined || element.textContent !== not
}

/** The time after the frame in which all are seen, in milliseconds since the page began to load. */
function whenPainted(effects: readonly Effect[]): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      // A task that is asked for in a frame comes after what the frame paints.
      if (document.body && effects.every(isSeen)) setTimeout(() => resolve(performance.now()))
      else requestAnimationFrame(look)
    }
    look()
  })
}

let answered: Promise<number[]> | undefined

/** A page is at rest that has answered each timer of so long within so long, for so long; in milliseconds. */
const TIMER_MS = 10
const LATE_MS = 40
const QUIET_MS = 300

function rest(done: () => void, sinceMs: number): void {
  const askedMs = performance.now()
  setTimeout(() => {
    const nowMs = performance.now()
    const quietSinceMs = nowMs - askedMs > LATE_MS ? nowMs : sinceMs
    if (nowMs - quietSinceMs >= QUIET_MS) done()
    else rest(done, quietSinceMs)
  }, TIMER_MS)
}

/** Measures in the app's page, before the app's own scripts start. */
const probe = {
  whenPainted,

  /** From the next key or click on, how long each takes until it is painted; it may be more than one effect. */
  arm(seen: readonly (readonly Effect[])[]): void {
    const begun = new Promise<number>((resolve) => {
      const begin = ({ timeStamp }: Event) => resolve(timeStamp)
      for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, begin, { capture: true, once: true })
    })
    answered = begun.then((beginMs) => Promise.all(seen.map(async (effects) => (await whenPainted(effects)) - beginMs)))
  },

  answer: () => answered,

  /** When the page has had nothing to do for a while. */
  rest: () => new Promise<void>((resolve) => rest(resolve, performance.now())),

  /** Time of a fixed piece of work outside the app, in milliseconds: the speed of the machine. */
  work(): number {
    const beganMs = performance.now()
    const texts = Array.from({ length: WORK }, (_, index) => `${(index * 7919) % WORK} of ${WORK}`).sort()
    const lengths = Map.groupBy(texts, (text) => text.length)
    return lengths.size > 0 ? performance.now() - beganMs : 0
  },

  /**
   * Scrolls by so many pixels a frame, to the end or for so many frames; the lengths of all and some more, in
   * milliseconds.
   */
  scroll(px: number, most: number): Promise<number[]> {
    return new Promise((resolve) => {
      const frames: number[] = []
      let last = performance.now()
      let left = FRAMES_AFTER
      const step = () => {
        const now = performance.now()
        frames.push(now - last)
        last = now
        const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
        if (isAtEnd || frames.length > most) left -= 1
        else scrollBy(0, px)
        if (left === 0) resolve(frames)
        else requestAnimationFrame(step)
      }
      requestAnimationFrame(step)
    })
  },
}

Object.assign(globalThis, { probe })
