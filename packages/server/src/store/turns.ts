/** Runs work of the same number one after another, in the order in which it came. */
export class Turns {
  /** The end of the last work of each number. */
  readonly #endsByTurn = new Map<number, Promise<unknown>>()

  async run<T>(turn: number, work: () => Promise<T>): Promise<T> {
    const run = (this.#endsByTurn.get(turn) ?? Promise.resolve()).then(work)
    const end = run.catch(() => undefined)
    this.#endsByTurn.set(turn, end)
    try {
      return await run
    } finally {
      if (this.#endsByTurn.get(turn) === end) this.#endsByTurn.delete(turn)
    }
  }
}
