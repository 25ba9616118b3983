import * as v from 'valibot'

/** Returns the text of a cursor, which clients send back as it is. */
export function formatCursor(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

/** Returns the value of a cursor; `undefined` if the schema does not know it. */
export function parseCursor<S extends v.GenericSchema>(schema: S, text: string): v.InferOutput<S> | undefined {
  const json = v.pipe(v.string(), v.parseJson(), schema)
  const parsed = v.safeParse(json, Buffer.from(text, 'base64url').toString())
  return parsed.success ? parsed.output : undefined
}

/** The most records to read at once: 13 MB. */
const RECORDS_PER_READ = 200
/** A page ends after this many characters, even below its limit. Entries take some 400 each. */
const PAGE_CHARACTERS = 4 * 1024 * 1024

/**
 * Reads a page of at most `limit` records and about `PAGE_CHARACTERS`, piece by piece. `read` returns up to `count`
 * records after a record, or the first ones. `last` is the last record of the page if more records follow it.
 */
export async function readPage<R extends { body: string }>(
  read: (after: R | undefined, count: number) => Promise<R[]>,
  limit: number,
): Promise<{ records: R[]; last: R | undefined }> {
  const records: R[] = []
  let characters = 0
  for (;;) {
    const count = Math.min(limit - records.length, RECORDS_PER_READ)
    // One record more shows if there are more.
    const found = await read(records.at(-1), count + 1)
    const taken: R[] = []
    for (const record of found.slice(0, count)) {
      if (characters >= PAGE_CHARACTERS) break
      taken.push(record)
      characters += record.body.length
    }
    records.push(...taken)
    if (taken.length === found.length) return { records, last: undefined }
    if (records.length === limit || characters >= PAGE_CHARACTERS) return { records, last: records.at(-1) }
  }
}
