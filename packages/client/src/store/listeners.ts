/** Those who want to know of each transaction that wrote something. */
export class Listeners {
  readonly #listeners = new Set<{ listener: () => void }>()

  /** Returns what ends it. */
  add(listener: () => void): () => void {
    const one = { listener }
    this.#listeners.add(one)
    return () => this.#listeners.delete(one)
  }

  /** Calls each in a task of its own: one that throws neither undoes what was kept nor stops the others. */
  call(): void {
    for (const one of this.#listeners) queueMicrotask(() => this.#listeners.has(one) && one.listener())
  }
}
