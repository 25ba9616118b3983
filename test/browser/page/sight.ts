/** Tells of a page what a person would see or hear of it. */

/** Elements that scroll by themselves, or are for screen readers only. */
function mayHide(element: Element): boolean {
  const { overflowX, clipPath } = getComputedStyle(element)
  return overflowX === 'auto' || overflowX === 'scroll' || clipPath !== 'none'
}

function isCut(element: Element): boolean {
  const { left, right, width } = element.getBoundingClientRect()
  const isOutside = width > 0 && (left < -1 || right > innerWidth + 1)
  const isHidden = getComputedStyle(element).overflowX === 'hidden' && element.scrollWidth > element.clientWidth + 1
  return isOutside || isHidden
}

function ownAndAbove(element: Element): Element[] {
  return [element, ...(element.parentElement ? ownAndAbove(element.parentElement) : [])]
}

const LIVE = '[role=status]:not([aria-live=off]), [role=alert], [aria-live=polite], output'

const sight = {
  /** Texts of live regions that came since `listen`. */
  said: [] as string[],

  listen(): void {
    const observer = new MutationObserver((records) => {
      // Screen readers do not announce removed nodes.
      const nodes = records.flatMap(({ type, target, addedNodes }) =>
        type === 'childList' ? [...addedNodes] : [target],
      )
      const texts = new Map<Element, string>()
      for (const node of nodes) {
        const element = node instanceof Element ? node : node.parentElement
        const region = element?.closest(LIVE)
        if (region) texts.set(region, (texts.get(region) ?? '') + node.textContent)
        else for (const added of element?.querySelectorAll(LIVE) ?? []) texts.set(added, added.textContent)
      }
      sight.said.push(...[...texts.values()].filter((text) => text !== ''))
    })
    observer.observe(document.body, { childList: true, subtree: true, characterData: true })
  },

  /** Texts that the window or their own box cuts off, and whether the page is wider than the window. */
  cutOff(): string[] {
    const wider = document.documentElement.scrollWidth > innerWidth ? ['the page'] : []
    const texts = [...document.querySelectorAll('body *')].filter((element) =>
      [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== ''),
    )
    const cut = texts.filter(
      (element) => element.checkVisibility() && isCut(element) && !ownAndAbove(element).some(mayHide),
    )
    return [...wider, ...cut.map(({ outerHTML }) => outerHTML.slice(0, 160))]
  },

  /** The lengths of all that moves right now, in milliseconds, where it can be noticed. */
  moving(): number[] {
    return document
      .getAnimations()
      .map(({ effect }) => Number(effect?.getComputedTiming().endTime))
      .filter((ms) => ms > 1)
  },
}

Object.assign(globalThis, { sight })
