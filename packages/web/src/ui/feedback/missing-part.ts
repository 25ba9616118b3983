const missing = new WeakSet<object>()

/** Remembers errors of chunks that could not be loaded; Vite dispatches them before it throws. */
export function noticeMissingParts(window: EventTarget): void {
  window.addEventListener('vite:preloadError', (event) => missing.add((event as VitePreloadErrorEvent).payload))
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missing.has(error)
}
