import { type ComponentType, lazy, type ReactNode, startTransition, useEffect, useState } from 'react'
import { afterPaint } from '../context/after-paint.ts'

type Load<P> = () => Promise<{ default: ComponentType<P> }>

/** A part of the app that is loaded later than what asks for it. */
export interface Part<P> {
  Component: ComponentType<P>
  load: Load<P>
}

/** How long is waited where the browser does not tell that it has nothing to do, in milliseconds. */
const IDLE_MS = 200
/** How long is waited at most where it does: a page may have something to draw all the time, in milliseconds. */
const MOST_IDLE_MS = 2_000

const waiting: (() => Promise<unknown>)[] = []
let isAhead = false
let isLoading = false

/** A part that is loaded when it is first drawn, or ahead of that; drawn at once where it is there, below a `Suspense`. */
export function later<P extends object>(load: Load<P>): Part<P> {
  let Loaded: ComponentType<P> | undefined
  const ask: Load<P> = async () => {
    const part = await load()
    Loaded = part.default
    return part
  }
  const Lazy = lazy(ask)
  waiting.push(ask)
  if (isAhead) loadNext()
  return {
    load: ask,
    Component: function Part(props: P) {
      // Not another one while it stands: it would begin anew.
      const [Drawn] = useState<ComponentType<P>>(() => Loaded ?? Lazy)
      return <Drawn {...props} />
    },
  }
}

/** From now on parts are loaded ahead, one at a time, when there is nothing else to do. */
export function loadAhead(): void {
  isAhead = true
  loadNext()
}

function loadNext(): void {
  if (isLoading || waiting.length === 0) return
  isLoading = true
  const next = () => {
    isLoading = false
    loadNext()
  }
  whenIdle(() => {
    // A browser does not ask again for a script that once did not come.
    if (canCome()) void waiting.shift()?.().then(next, next)
    else addEventListener('online', next, { once: true })
  })
}

/** Whether a script can come now, over the network or by the service worker. */
function canCome(): boolean {
  return navigator.onLine || ('serviceWorker' in navigator && navigator.serviceWorker.controller !== null)
}

function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(act, { timeout: MOST_IDLE_MS })
  else setTimeout(act, IDLE_MS)
}

interface LaterProps {
  /** What stands in the place until then. */
  placeholder?: ReactNode
  children: ReactNode
}

/** What is drawn once all around it is painted: what is seen first does not wait for what takes long. One may be within another. */
export function Later({ placeholder = null, children }: LaterProps) {
  const [isTime, setTime] = useState(false)
  useEffect(() => afterPaint(() => startTransition(() => setTime(true))), [])
  return isTime ? children : placeholder
}
