import { useSyncExternalStore } from 'react'

/** The event by which Chromium offers to install a page; it is not in a standard. */
interface InstallPromptEvent extends Event {
  prompt(): Promise<unknown>
}

let offer: InstallPromptEvent | undefined
const listeners = new Set<() => void>()

function keep(wanted: InstallPromptEvent | undefined): void {
  offer = wanted
  for (const listener of listeners) listener()
}

/** Keeps the browser's offer to install the app, which comes once and early, until somebody asks for it. */
export function awaitInstallOffer(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    keep(event as InstallPromptEvent)
  })
  addEventListener('appinstalled', () => keep(undefined))
}

/** Installs the app; `undefined` where the browser does not offer that. */
export function useInstallOffer(): (() => Promise<void>) | undefined {
  const offered = useSyncExternalStore(subscribe, () => offer)
  return (
    offered &&
    (async () => {
      await offered.prompt()
      keep(undefined)
    })
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
