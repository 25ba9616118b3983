/**
 * Keeps a text for this tab until after a reload; an empty one is removed. A browser without room keeps none, since the
 * text is a convenience and the work that it belongs to must go on.
 */
export function keepForReload(key: string, text: string): void {
  sessionStorage.removeItem(key)
  if (text === '') return
  try {
    sessionStorage.setItem(key, text)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
