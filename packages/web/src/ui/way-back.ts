import { useEffectEvent, useLayoutEffect } from 'react'

/** Marks the entry of the browser's history that an overlay adds above that of its view. */
const MARK = 'overlay'

const isMarked = () => (history.state as Record<string, unknown> | null)?.[MARK] === true

let openCount = 0
/** The entry of the history that the browser is at. */
let here = { isMarked: false, href: '' }

const note = () => {
  here = { isMarked: isMarked(), href: location.href }
}

/**
 * Skips the entries of overlays that were closed in another way, which would make the way back do nothing once. Returns
 * a function that ends this.
 */
export function skipClosedOverlays(): () => void {
  const onPop = () => {
    const left = here
    note()
    const isBelow = left.isMarked && !here.isMarked && left.href === here.href
    if (isBelow && openCount === 0) history.back()
  }
  note()
  // wouter tells of the other two.
  const events = { popstate: onPop, pushState: note, replaceState: note }
  for (const [name, listener] of Object.entries(events)) window.addEventListener(name, listener)
  return () => {
    for (const [name, listener] of Object.entries(events)) window.removeEventListener(name, listener)
  }
}

/** Lets the way back of the browser, and of a phone, call `onBack` while a component is shown, and stay in the view. */
export function useWayBack(onBack: () => void): void {
  const back = useEffectEvent(onBack)
  useLayoutEffect(() => {
    const mark = () => {
      if (!isMarked()) history.pushState({ ...history.state, [MARK]: true }, '')
    }
    const onPop = () => {
      if (isMarked()) return
      // The overlay may ask first, and stay.
      mark()
      back()
    }
    openCount += 1
    mark()
    window.addEventListener('popstate', onPop)
    return () => {
      openCount -= 1
      window.removeEventListener('popstate', onPop)
    }
  }, [])
}
