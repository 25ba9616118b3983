/** True if this device shows notifications of the app. */
export function canNotify(): boolean {
  return 'Notification' in globalThis && Notification.permission === 'granted'
}
