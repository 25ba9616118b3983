import { check, type ItemResult } from '@saldo/core'
import type * as v from 'valibot'

export function rejected(detail: string): ItemResult {
  return { outcome: 'rejected', id: null, detail }
}

/** Checks one item of a request for many, so that one that is not valid stops no other (D24.12). */
export function checkItem<S extends v.GenericSchema>(
  schema: S,
  item: unknown,
): { ok: true; value: v.InferOutput<S> } | { ok: false; result: ItemResult } {
  const checked = check(schema, item)
  if (checked.ok) return checked
  const texts = checked.errors.map(({ pointer, detail }) => `${pointer.slice(1) || 'It'} ${detail}`)
  return { ok: false, result: rejected(`${texts.join('; ')}.`) }
}
