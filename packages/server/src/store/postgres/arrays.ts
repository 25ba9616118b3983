import type { Insert, SqlValue } from '../sql.ts'

type ColumnType = Insert['types'][number]

/** Each type's number in the server's catalogue. */
const typeNumbers: Record<ColumnType, number> = { BIGINT: 20, TEXT: 25 }

/** Five numbers of four bytes. */
const HEAD_BYTES = 20

/**
 * An array parameter in PostgreSQL's binary format: as text, both sides would look at each character for what must be
 * escaped. Bodies are texts, and numbers integers up to 2^53 − 1.
 */
export function arrayParam(type: ColumnType, values: readonly SqlValue[]): Buffer {
  const sizeOf = (value: SqlValue) => (value === null ? 0 : type === 'TEXT' ? Buffer.byteLength(value as string) : 8)
  let size = HEAD_BYTES
  for (const value of values) size += 4 + sizeOf(value)
  const buffer = Buffer.allocUnsafe(size)
  // One dimension, whether there are nulls, the type, how many there are, the first of them is the first.
  let at = 0
  for (const number of [1, values.includes(null) ? 1 : 0, typeNumbers[type], values.length, 1]) {
    at = buffer.writeInt32BE(number, at)
  }
  for (const value of values) {
    if (value === null) {
      at = buffer.writeInt32BE(-1, at)
    } else if (typeof value === 'number') {
      at = buffer.writeInt32BE(8, at)
      at = buffer.writeInt32BE(Math.floor(value / 2 ** 32), at)
      at = buffer.writeUInt32BE(value >>> 0, at)
    } else {
      const length = buffer.write(value, at + 4)
      buffer.writeInt32BE(length, at)
      at += 4 + length
    }
  }
  return buffer
}
