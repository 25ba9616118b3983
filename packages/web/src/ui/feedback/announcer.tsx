import { useSyncExternalStore } from 'react'

let latest = { text: '', count: 0 }
const listeners = new Set<() => void>()

/** Lets screen readers say a text, once what they say now is over. */
export function announce(text: string): void {
  latest = { text, count: latest.count + 1 }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The place of announcements. It is always there, because screen readers miss the text of a new place. */
export function Announcer() {
  const { text, count } = useSyncExternalStore(subscribe, () => latest)
  return (
    <p role="status" className="visually-hidden">
      <span key={count}>{text}</span>
    </p>
  )
}
