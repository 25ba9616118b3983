/** Those who want to know when something has changed. */
export class Listeners {
  readonly #listeners = new Set<{ listener: () => void }>()

  /** Returns what ends it. */
  add(listener: () => void): () => void {
    const one = { listener }
    this.#listeners.add(one)
    return () => this.#listeners.delete(one)
  }

  /** Calls each in a task of its own: one that throws neither undoes what was done nor stops the others. */
  call(): void {
    for (const one of this.#listeners) queueMicrotask(() => this.#listeners.has(one) && one.listener())
  }
}
