import type { WritableKind } from '@saldo/core'
import { NaiveAccount, type NaiveEntry, type NaiveSettings } from '../../../core/test/naive-account.ts'

/** A change to send; `content` is null for a delete. */
export interface SentChange {
  kind: WritableKind
  id: string
  content: object | null
}

/** The live records that a test has sent for a user, and the account that must follow from them. */
export class SentRecords {
  readonly #byKind: Record<WritableKind, Map<string, object>> = {
    entries: new Map(),
    settings_history: new Map(),
    balance_adjustments: new Map(),
  }

  /** Returns the live records of a kind by id. */
  all<T extends object = object>(kind: WritableKind): ReadonlyMap<string, T> {
    return this.#byKind[kind] as Map<string, T>
  }

  add({ kind, id, content }: SentChange): void {
    if (content) this.#byKind[kind].set(id, content)
    else this.#byKind[kind].delete(id)
  }

  settings(): NaiveSettings[] {
    return [...this.all<NaiveSettings>('settings_history')].map(([id, row]) => ({ ...row, id }))
  }

  account(tickMs: number): NaiveAccount {
    return new NaiveAccount([...this.all<NaiveEntry>('entries').values()], this.settings(), tickMs)
  }

  adjustments(): { effective_date: string; delta_ms: number }[] {
    return [...this.all<{ effective_date: string; delta_ms: number }>('balance_adjustments').values()]
  }
}
