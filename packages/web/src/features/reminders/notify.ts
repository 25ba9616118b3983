/** Shows a notification of the device; another one of the same key replaces it. */
export async function notify(title: string, body: string, key: string): Promise<void> {
  const options = { body, tag: key, icon: '/icon-192.png' }
  const worker = await navigator.serviceWorker?.getRegistration()
  // Phones show notifications of service workers only.
  if (worker) await worker.showNotification(title, options)
  else new Notification(title, options)
}

const MOST_KEYS = 20
const storageKey = (user: number) => `saldo.shown-reminders.${user}`

/** Returns true once for each of the latest keys of a user on this device. */
export function isNewReminder(user: number, key: string): boolean {
  const keys = JSON.parse(localStorage.getItem(storageKey(user)) ?? '[]') as string[]
  if (keys.includes(key)) return false
  localStorage.setItem(storageKey(user), JSON.stringify([...keys, key].slice(-MOST_KEYS)))
  return true
}
