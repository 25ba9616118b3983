import { isJsonObject, type Json } from '@saldo/core'

/** An acknowledgement that a client may rely on. */
export interface Promised {
  /** By record, each acknowledged version. */
  versions: { id: string; version: number }[]
  /** Numbers of users whose account was acknowledged. */
  users: number[]
}

/** Adds the acknowledgements of an uncompressed answer, whole or only its body, to `promised`. */
export function promise(promised: Promised, sent: Buffer): void {
  const text = sent.toString()
  const begin = text.startsWith('HTTP/') ? text.indexOf('\r\n\r\n') + 4 : 0
  const body = jsonOf(text.slice(begin))
  if (!isJsonObject(body)) return
  if (typeof body.user_id === 'number') promised.users.push(body.user_id)
  const results = Array.isArray(body.results) ? body.results : [body]
  for (const one of results) {
    if (!isJsonObject(one)) continue
    const { id, version } = one
    if (typeof id === 'string' && typeof version === 'number') promised.versions.push({ id, version })
  }
}

function jsonOf(text: string): Json | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
