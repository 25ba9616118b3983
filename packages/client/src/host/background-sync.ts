/** The prefix of Background Sync tags; the user's number follows. */
export const SYNC_TAG_PREFIX = 'saldo-sync-'

/** A service worker's registration; not every browser has Background Sync. */
interface Registration {
  sync?: { register(tag: string): Promise<void> }
}

/** Asks the browser to wake its service worker when there is a network, to send the changes of a user. */
export async function registerBackgroundSync(user: number, workers: ServiceWorkerContainer | undefined): Promise<void> {
  const registration = (await workers?.ready) as Registration | undefined
  // If the browser forbids it, the changes are sent when the app is opened again.
  await registration?.sync?.register(`${SYNC_TAG_PREFIX}${user}`).catch(() => {})
}
