/** What a browser tells of its storage. */
export interface Stored {
  usedBytes: number
  /** How much there may be; `null` where the browser does not tell. */
  mostBytes: number | null
  /** Whether the browser promised not to delete it by itself. */
  isKept: boolean
}

/** `undefined` where the browser does not tell, as on a page without HTTPS. */
export async function readStored(): Promise<Stored | undefined> {
  if (!('storage' in navigator)) return undefined
  const [{ usage = 0, quota = null }, isKept] = await Promise.all([
    navigator.storage.estimate(),
    navigator.storage.persisted(),
  ])
  return { usedBytes: usage, mostBytes: quota, isKept }
}

/** Asks the browser not to delete what is stored by itself. Returns whether it promised. */
export async function keepStored(): Promise<boolean> {
  if (!('storage' in navigator)) return false
  return (await navigator.storage.persisted()) || (await navigator.storage.persist())
}
