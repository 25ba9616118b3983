import { isJsonObject, type Json } from '@saldo/core'

/** An acknowledgement that a client may rely on. */
export interface Promised {
  /** By record, each version that it was told to have. */
  versions: { id: string; version: number }[]
  /** Numbers of users who were told that they have an account. */
  users: number[]
}

/** Adds to what was promised what an answer of the service says; uncompressed, in one piece or its body alone. */
export function promise(promised: Promised, sent: Buffer): void {
  const text = sent.toString()
  const begin = text.startsWith('HTTP/') ? text.indexOf('\r\n\r\n') + 4 : 0
  const body = jsonOf(text.slice(begin))
  if (!isJsonObject(body)) return
  if (typeof body.user_id === 'number') promised.users.push(body.user_id)
  const told = Array.isArray(body.results) ? body.results : [body]
  for (const one of told) {
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
