import type { SyncPosition, UserReader } from '../../src/store/store.ts'

/** The tag of a version; null where the log has no such row. */
export async function tagIn(reader: UserReader, version: number): Promise<string | null> {
  return (await reader.logState(version, 0)).tag
}

export async function markerIn(reader: UserReader): Promise<SyncPosition | undefined> {
  return (await reader.logState(0, 0)).marker
}

export async function hasLogBefore(reader: UserReader, ms: number): Promise<boolean> {
  return (await reader.logState(0, ms)).hasBefore
}
