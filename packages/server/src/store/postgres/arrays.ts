import type { Insert, SqlValue } from '../sql.ts'

type ColumnType = Insert['types'][number]

/** Each type's number in the server's catalogue. */
const typeNumbers: Record<ColumnType, number> = { BIGINT: 20, TEXT: 25 }

/** Five numbers of four bytes. */
const HEAD_BYTES = 20

/** Texts as an array parameter. */
export function textsParam(texts: readonly string[]): Buffer {
  return arrayParam('TEXT', texts.length, (index) => texts[index] as string)
}

/** A column of rows as an array parameter. Texts are bodies and the like, and numbers integers up to 2^53 − 1. */
export function columnParam(type: ColumnType, rows: readonly (readonly SqlValue[])[], column: number): Buffer {
  return arrayParam(type, rows.length, (index) => rows[index]?.[column] as SqlValue)
}

/**
 * An array in PostgreSQL's binary format: as text, both sides would look at each character for what must be escaped.
 */
function arrayParam(type: ColumnType, count: number, valueAt: (index: number) => SqlValue): Buffer {
  let size = HEAD_BYTES
  let hasNull = 0
  for (let index = 0; index < count; index += 1) {
    const value = valueAt(index)
    if (value === null) hasNull = 1
    size += 4 + (value === null ? 0 : typeof value === 'string' ? Buffer.byteLength(value) : 8)
  }
  const buffer = Buffer.allocUnsafe(size)
  // One dimension, whether there are nulls, the type, how many there are, the first of them is the first.
  let at = buffer.writeInt32BE(1, 0)
  at = buffer.writeInt32BE(hasNull, at)
  at = buffer.writeInt32BE(typeNumbers[type], at)
  at = buffer.writeInt32BE(count, at)
  at = buffer.writeInt32BE(1, at)
  for (let index = 0; index < count; index += 1) {
    const value = valueAt(index)
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
