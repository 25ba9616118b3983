/** What the person did away with and may still bring back. */
export interface DelayedActs {
  /** Holds something back; `goThrough` is called once it is not brought back in time. Returns what brings it back. */
  hold(key: string, goThrough: () => Promise<unknown>): () => void
  has(key: string): boolean
  subscribe(listener: () => void): () => void
  /** Another number after each change. */
  turn(): number
}

export function delayedActs(forMs: number): DelayedActs {
  const keys = new Set<string>()
  const listeners = new Set<() => void>()
  let turn = 0
  const changed = () => {
    turn += 1
    for (const listener of listeners) listener()
  }
  const release = (key: string) => {
    keys.delete(key)
    changed()
  }
  return {
    hold(key, goThrough) {
      keys.add(key)
      changed()
      const timer = setTimeout(() => void goThrough().then(() => release(key)), forMs)
      return () => {
        clearTimeout(timer)
        release(key)
      }
    },
    has: (key) => keys.has(key),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    turn: () => turn,
  }
}
