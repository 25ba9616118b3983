/** What names the changes of a user in Background Sync. */
export const SYNC_PREFIX = 'saldo-sync-'

/** What of a service worker's registration is used; not every browser has Background Sync. */
interface Registration {
  sync?: { register(tag: string): Promise<void> }
}

/** Has the browser wake its service worker once there is a network, where it can, for a user's changes to be sent. */
export async function wakeWorkerLater(user: number, workers: ServiceWorkerContainer | undefined): Promise<void> {
  const registration = (await workers?.ready) as Registration | undefined
  // A browser may forbid it; then the changes are sent when the app is opened again.
  await registration?.sync?.register(`${SYNC_PREFIX}${user}`).catch(() => {})
}
