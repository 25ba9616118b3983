/** Those who want to know when something has changed, and what. */
export class Listeners<News extends unknown[] = []> {
  readonly #listeners = new Set<{ listener: (...news: News) => void }>()

  /** Returns what ends it. */
  add(listener: (...news: News) => void): () => void {
    const one = { listener }
    this.#listeners.add(one)
    return () => this.#listeners.delete(one)
  }

  /** Calls each in a task of its own: one that throws neither undoes what was done nor stops the others. */
  call(...news: News): void {
    for (const one of this.#listeners) queueMicrotask(() => this.#listeners.has(one) && one.listener(...news))
  }
}
