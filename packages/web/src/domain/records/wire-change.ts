import { isJsonObject, parseContent, type WritableKind, writableKinds } from '@saldo/core'

/** The kind and content of a change as a push has it; null for a deletion. */
export interface ReadChange {
  kind: WritableKind
  content: object | null
}

/**
 * Reads a change that somebody asks for or proposes. What it leaves out is as the record is now (D28.2), or as new
 * records have it. Returns undefined for one that this app cannot read.
 */
export function readWireChange(change: unknown, present: object | null): ReadChange | undefined {
  const wire = isJsonObject(change) ? change : {}
  const kind = writableKinds.find((each) => each === wire.kind)
  if (!kind) return undefined
  if (wire.op === 'delete') return { kind, content: null }
  const record = isJsonObject(wire.record) ? { ...present, ...wire.record } : {}
  const content = parseContent(kind, record, '')
  return content.ok ? { kind, content: content.value } : undefined
}
