/** A change that a client made to a record: its new note, or null if it deleted the record. */
export interface Attempt {
  note: string | null
  /** The version in the push result, if the client got one. */
  version?: number
}

/** The stored record at the service, without a version if its deletion was pruned; undefined if it is unknown. */
export type Standing = { note: string | null; version?: number } | undefined

/** The changes of one client to a record that nobody else changes. */
export class Own {
  /** Number of changes. */
  made = 0
  #acknowledged: Attempt | undefined
  #open: Attempt[] = []

  /** A change is about to be sent. */
  attempt(note: string | null): Attempt {
    const attempt = { note }
    this.made += 1
    this.#open.push(attempt)
    return attempt
  }

  /** The service acknowledged a change, and so all before it. */
  acknowledge(attempt: Attempt, version?: number): void {
    this.#acknowledged = version === undefined ? attempt : { ...attempt, version }
    this.#open = this.#open.slice(this.#open.indexOf(attempt) + 1)
  }

  /**
   * Returns the problem with a stored record, if any: it must be the last acknowledged change or a later one. Once all
   * is `settled`, it must be the last.
   */
  problemOf(standing: Standing, settled: boolean): string | undefined {
    const last = this.#open.at(-1) ?? this.#acknowledged
    const allowed = settled && last ? [last] : [...(this.#acknowledged ? [this.#acknowledged] : []), ...this.#open]
    const isOf = (version: number) => standing !== undefined && (standing.version ?? version) === version
    const isAllowed = ({ note, version }: Attempt) =>
      // Created and deleted before anyone pulled it.
      (standing?.note ?? null) === note && (version === undefined || isOf(version))
    if (allowed.some(isAllowed)) return undefined
    if (standing === undefined && !this.#acknowledged && !settled) return undefined
    return `lost: ${JSON.stringify(allowed)} instead of ${JSON.stringify(standing)}`
  }
}
