import { DateText, FIRST_DATE, InstantText, LAST_DATE, type RecordKind, Uuid } from '@saldo/core'
import * as v from 'valibot'
import { ProblemError } from '../http/problem.ts'
import type { Answer } from '../http/route.ts'
import { fieldsOf } from '../records/fields.ts'
import { dateSpan } from '../records/reading.ts'
import { placementOf } from '../store/records/placement.ts'
import type { Span, StoredRecord, TimeKey, UserReader } from '../store/store.ts'

/** How many records a page of a collection has, unless asked for fewer or more. */
const DEFAULT_LIMIT = 200
const MAX_LIMIT = 1000

const limitMessage = `must be a whole number from 1 to ${MAX_LIMIT}`

/** The query fields of every collection. */
export const paging = {
  limit: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^\d{1,4}$/, limitMessage),
      v.transform(Number),
      v.minValue(1, limitMessage),
      v.maxValue(MAX_LIMIT, limitMessage),
      v.metadata({ description: `Records a page: 1 to ${MAX_LIMIT}; default ${DEFAULT_LIMIT}.` }),
    ),
    String(DEFAULT_LIMIT),
  ),
  cursor: v.optional(v.pipe(v.string(), v.metadata({ description: 'The `next_cursor` of the page before.' }))),
}

const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.optional(v.pipe(schema, v.metadata({ description })))

/** The query of a collection of records that lie on dates. */
export const DateQuery = v.object({
  from: described(DateText, 'The first date, included.'),
  to: described(DateText, 'The last date, included.'),
  ...paging,
})

/** Where the records of a `DateQuery` lie. */
export function spanOf({
  from = FIRST_DATE,
  to = LAST_DATE,
}: {
  from?: string | undefined
  to?: string | undefined
}): Span {
  return dateSpan({ from, to })
}

/** The query of entries. */
export const EntryQuery = v.object({
  from: described(v.union([DateText, InstantText]), 'A date, included, or an instant.'),
  to: described(v.union([DateText, InstantText]), 'A date, included, or an instant, not included.'),
  ...paging,
})

/** The answer of a collection. */
export const pageOf = <S extends v.GenericSchema>(item: S) =>
  v.object({ items: v.array(item), next_cursor: v.nullable(v.string()) })

export const emptyPage: Answer = { status: 200, body: '{"items":[],"next_cursor":null}' }

/** A page of the live records of a kind that meet a span, in time order; `keep` can leave some out. */
export async function listAnswer(
  reader: UserReader,
  kind: RecordKind,
  span: Span,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
  keep: (record: StoredRecord) => boolean = () => true,
): Promise<Answer> {
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const found = await reader.meeting(kind, span, { after, limit: limit + 1 })
  const page = found.slice(0, limit)
  const last = found.length > limit ? page.at(-1) : undefined
  const items = page.filter(keep).map(({ body }) => body)
  const next = last ? JSON.stringify(writeCursor(last)) : 'null'
  return { status: 200, body: `{"items":[${items.join(',')}],"next_cursor":${next}}` }
}

/** A cursor names the last record's place, so pages stay right when records come and go between them. */
function writeCursor(record: StoredRecord): string {
  const { startsMs } = placementOf(record.kind, fieldsOf(record))
  return Buffer.from(JSON.stringify([startsMs, record.id])).toString('base64url')
}

function readCursor(text: string): TimeKey {
  const parts: unknown = parseJson(Buffer.from(text, 'base64url').toString())
  if (Array.isArray(parts) && Number.isSafeInteger(parts[0]) && v.is(Uuid, parts[1])) {
    return { startsMs: parts[0], id: parts[1] }
  }
  throw new ProblemError('invalid_cursor', 'The cursor is not one of ours: begin again without it.')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
