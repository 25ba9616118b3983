export class Listeners<Args extends unknown[] = []> {
  readonly #listeners = new Set<{ listener: (...args: Args) => void }>()

  /** Returns a function that ends the subscription. */
  add(listener: (...args: Args) => void): () => void {
    const one = { listener }
    this.#listeners.add(one)
    return () => this.#listeners.delete(one)
  }

  /** Resolves with the next call. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      const end = this.add(() => {
        end()
        resolve()
      })
    })
  }

  /** Calls each subscriber in a microtask of its own, so that one that throws does not stop the others. */
  call(...args: Args): void {
    for (const one of this.#listeners) queueMicrotask(() => this.#listeners.has(one) && one.listener(...args))
  }
}
