const missing = new WeakSet<object>()

/** Notices which errors mean that a part of the app could not be loaded; Vite tells of them before they are thrown. */
export function noticeMissingParts(window: EventTarget): void {
  window.addEventListener('vite:preloadError', (event) => missing.add((event as VitePreloadErrorEvent).payload))
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missing.has(error)
}
