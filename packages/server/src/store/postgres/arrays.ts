import type { Insert, SqlValue } from '../sql.ts'

type ColumnType = Insert['types'][number]

/** Each type's number in the server's catalogue. */
const typeNumbers: Record<ColumnType, number> = { BIGINT: 20, TEXT: 25 }

/**
 * An array parameter in PostgreSQL's binary format: as text, both sides would look at each character for what must be
 * escaped. Bodies are texts, and numbers integers up to 2^53 − 1.
 */
export function arrayParam(type: ColumnType, values: readonly SqlValue[]): Buffer {
  const sizes = values.map((value) => (value === null ? 0 : type === 'TEXT' ? Buffer.byteLength(value as string) : 8))
  const buffer = Buffer.allocUnsafe(20 + sizes.reduce((sum, size) => sum + 4 + size, 0))
  // One dimension, whether there are nulls, the type, how many there are, the first of them is the first.
  const head = [1, values.includes(null) ? 1 : 0, typeNumbers[type], values.length, 1]
  let at = head.reduce((at, number) => buffer.writeInt32BE(number, at), 0)
  for (const [index, value] of values.entries()) {
    const size = sizes[index] as number
    at = buffer.writeInt32BE(value === null ? -1 : size, at)
    if (value === null) continue
    if (typeof value === 'number') buffer.writeBigInt64BE(BigInt(value), at)
    else buffer.write(value, at)
    at += size
  }
  return buffer
}
