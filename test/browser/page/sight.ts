/** Tells of a page what a person would see or hear of it. */

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

  /** The lengths of all that moves right now, in milliseconds, where it can be noticed. */
  moving(): number[] {
    return document
      .getAnimations()
      .map(({ effect }) => Number(effect?.getComputedTiming().endTime))
      .filter((ms) => ms > 1)
  },
}

Object.assign(globalThis, { sight })
