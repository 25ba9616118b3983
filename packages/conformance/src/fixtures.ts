import { existsSync, readFileSync } from 'node:fs'
import type { Instant, IsoWeek, JsonObject, LocalDate, RecordKind, WritableKind } from '@saldo/core'

declare global {
  interface ImportMeta {
    /** The texts of the fixtures by name; the bundler sets them. */
    readonly SALDO_FIXTURES?: Readonly<Record<string, string>>
  }
}

/** The files in `fixtures/` that checks of services use; `fixtures/README.md` describes their shapes. */
interface Fixtures {
  account: {
    schedules: Record<string, ({ id: string; effective_from: LocalDate } & JsonObject)[]>
    cases: {
      name: string
      schedule: string
      entries: JsonObject[]
      days: ({ date: LocalDate; settings_id?: string | null } & JsonObject)[]
      weeks?: ({ week: IsoWeek } & JsonObject)[]
    }[]
  }
  changes: {
    valid: {
      name: string
      input: JsonObject
      read: { kind: WritableKind; updated_at: Instant; content: JsonObject | null }
    }[]
    skipped: { name: string; input: JsonObject; kind: RecordKind; id: string | null }[]
    invalid: { name: string; input: unknown; pointers: string[]; id: string | null }[]
  }
  instants: { valid: { text: string; canonical: Instant }[]; invalid: string[] }
  merge: {
    cases: {
      name: string
      stored: { updated_at: Instant; content: JsonObject | null; claims: Record<string, number> } | null
      change: { updated_at: Instant; content: JsonObject | null; device?: 'a' | 'b'; seq?: number }
      server_time: Instant
      outcome: 'applied' | 'unchanged' | 'superseded'
      after?: { updated_at: Instant; content: JsonObject | null }
    }[]
  }
  records: {
    valid: { name: string; kind: WritableKind; input: JsonObject; canonical: JsonObject }[]
    invalid: { name: string; kind: WritableKind; input: unknown; pointers: string[] }[]
  }
  vacation: {
    cases: {
      name: string
      settings: ({ effective_from: LocalDate; daily_target?: string } & JsonObject)[]
      entries: JsonObject[]
      today?: LocalDate
      year: number
      account: ({ expiring: { days: string; by: string } | null } & Record<string, unknown>) | null
    }[]
  }
}

/** The folder of the fixtures: that of the published package, else that of the workspace. */
const folders = ['../fixtures/', '../../../fixtures/'].map((path) => new URL(path, import.meta.url))

/** Returns the vectors of `fixtures/<name>.json`. */
export function readFixture<Name extends keyof Fixtures>(name: Name): Fixtures[Name] {
  const bundled = import.meta.SALDO_FIXTURES?.[name]
  return JSON.parse(
    bundled ??
      readFileSync(
        new URL(
          `${name}.json`,
          folders.find((folder) => existsSync(folder)),
        ),
        'utf8',
      ),
  )
}
