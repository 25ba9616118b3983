import type { Effect } from '../effect.ts'

const SCROLL_PX = 1_000

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

let answered: Promise<number> | undefined

/** What measures in the app's page, from before the app's own scripts on. */
const probe = {
  whenPainted,

  /** From the next key or click on, how long it takes until the effect is painted. */
  arm(effect: Effect): void {
    const begun = new Promise<number>((resolve) => {
      const begin = ({ timeStamp }: Event) => resolve(timeStamp)
      for (const kind of ['keydown', 'pointerdown']) addEventListener(kind, begin, { capture: true, once: true })
    })
    answered = begun.then(async (beginMs) => (await whenPainted([effect])) - beginMs)
  },

  answer: () => answered,

  /** Scrolls to the end; the lengths of all frames on the way, in milliseconds. */
  scroll(): Promise<number[]> {
    return new Promise((resolve) => {
      const frames: number[] = []
      let last = performance.now()
      const step = () => {
        const now = performance.now()
        frames.push(now - last)
        last = now
        const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
        if (isAtEnd) return resolve(frames)
        scrollBy(0, SCROLL_PX)
        requestAnimationFrame(step)
      }
      requestAnimationFrame(step)
    })
  },
}

Object.assign(globalThis, { probe })
