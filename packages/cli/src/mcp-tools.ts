import {
  absenceKinds,
  asLine,
  DateText,
  isJsonObject,
  type Random,
  reportGroups,
  timedEntryKinds,
  Uuid,
} from '@saldo/core'
import * as v from 'valibot'
import type { AssistantRequest, Send } from './mcp-requests.ts'
import { jsonLine } from './output.ts'

/** A change that the user has to confirm. `summary` shows all of it. */
export interface PlannedChange {
  summary: string
  request: AssistantRequest
}

/** The outcome of a tool: a tool that writes only plans its change. */
export type ToolOutcome = { outcome: 'read'; value: unknown } | { outcome: 'planned'; change: PlannedChange }

/** Parts that a tool uses. */
interface Means {
  send: Send
  random: Random
}

export interface Tool {
  name: string
  description: string
  input: v.GenericSchema
  isReading: boolean
  /** Throws `ServiceError`. `input` has been checked. */
  run(input: unknown, means: Means): Promise<ToolOutcome>
}

const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.metadata({ description }))
const optional = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.optional(described(schema, description))

const Range = v.strictObject({
  from: described(DateText, 'The first date, such as 2026-11-01.'),
  to: described(DateText, 'The last date, inclusive.'),
})
const EntryId = v.strictObject({ id: described(Uuid, 'The id of an entry, from list_entries.') })
const entryFields = {
  started_at: optional(v.string(), 'Start of work or a break, with offset: 2026-11-20T08:00:00+01:00.'),
  ended_at: optional(v.nullable(v.string()), 'End of work or a break, with offset; null while it runs.'),
  date: optional(DateText, 'The date of an absence.'),
  day_share: optional(v.number(), 'The share of an absence in the day, such as 0.5; 1 unless given.'),
  project: optional(v.nullable(v.string()), 'The project; null for none.'),
  note: optional(v.string(), 'A note.'),
  tags: optional(v.array(v.string()), 'Tags.'),
}

/** Returns a tool; its schema gives the type of its input. */
function tool<S extends v.GenericSchema>(spec: {
  name: string
  description: string
  input: S
  isReading: boolean
  run: (input: v.InferOutput<S>, means: Means) => Promise<ToolOutcome>
}): Tool {
  return { ...spec, run: (input, means) => spec.run(input, means) }
}

/** Returns a tool that answers a `GET`; all of its input is the query. */
function readingTool<S extends v.GenericSchema<object, object>>(
  name: string,
  description: string,
  input: S,
  path: string,
  method: 'GET' | 'POST' = 'GET',
): Tool {
  return tool({
    name,
    description,
    input,
    isReading: true,
    run: async (query, { send }) => {
      if (method === 'POST') return { outcome: 'read', value: (await send({ method, path, body: query })).value }
      const fields = Object.entries(query).map(([field, value]) => [field, String(value)])
      const search = new URLSearchParams(fields)
      const { value } = await send({ method, path: search.size > 0 ? `${path}?${search}` : path })
      return { outcome: 'read', value }
    },
  })
}

/** The tools of `saldo mcp`. */
export const tools: readonly Tool[] = [
  readingTool('read_balance', 'Read the balance of the working-time account.', v.strictObject({}), '/api/balance'),
  readingTool(
    'read_days',
    'Read planned time, worked time, breaks, balance change and warnings of each day; at most 400 days.',
    Range,
    '/api/account/days',
  ),
  readingTool(
    'read_report',
    'Read the time by project, tag, day, week or month; at most 400 days.',
    v.strictObject({
      ...Range.entries,
      group: described(v.picklist(reportGroups), 'What the lines are.'),
      kind: optional(v.picklist(timedEntryKinds), 'What to count; work unless given.'),
      project: optional(v.string(), 'Only entries of this project.'),
      tag: optional(v.string(), 'Only entries with this tag.'),
      words: optional(v.string(), 'Only entries whose note, project and tags contain these words.'),
    }),
    '/api/reports',
    'POST',
  ),
  readingTool(
    'list_entries',
    'List work, breaks and absences in time order, with the ids that changing needs.',
    v.strictObject({
      ...Range.entries,
      cursor: optional(v.string(), 'The `next_cursor` of the answer before, for the next page.'),
    }),
    '/api/entries',
  ),
  tool({
    name: 'record_entry',
    description: 'Record work, a break or an absence. The user confirms it before it is stored.',
    input: v.strictObject({
      kind: described(v.picklist([...timedEntryKinds, ...absenceKinds]), 'work and break have times, others a date.'),
      ...entryFields,
    }),
    isReading: false,
    run: async (fields, { random }) => ({
      outcome: 'planned',
      change: {
        summary: `Create this entry:\n${linesOf(fields)}`,
        // With an id, sending it twice creates one entry.
        request: { method: 'POST', path: '/api/entries', body: { id: random.uuid(), ...fields } },
      },
    }),
  }),
  tool({
    name: 'change_entry',
    description: 'Change the given fields of an entry. The user confirms it before it is stored.',
    input: v.strictObject({ ...EntryId.entries, ...entryFields }),
    isReading: false,
    run: async ({ id, ...fields }, { send }) => {
      const { content, ifMatch } = await readEntry(id, send)
      const body = { ...content, ...fields }
      return {
        outcome: 'planned',
        change: {
          summary: `Change this entry:\n${linesOf(content)}\n\nto:\n${linesOf(body)}`,
          request: { method: 'PUT', path: `/api/entries/${id}`, body, ...ifMatch },
        },
      }
    },
  }),
  tool({
    name: 'delete_entry',
    description: 'Delete an entry. The user confirms it before it is deleted.',
    input: EntryId,
    isReading: false,
    run: async ({ id }, { send }) => {
      const { content, ifMatch } = await readEntry(id, send)
      return {
        outcome: 'planned',
        change: {
          summary: `Delete this entry:\n${linesOf(content)}`,
          request: { method: 'DELETE', path: `/api/entries/${id}`, ...ifMatch },
        },
      }
    },
  }),
]

/** Reads an entry without the fields that the service sets. Later requests must find it as it is now. */
async function readEntry(id: string, send: Send): Promise<{ content: object; ifMatch: { ifMatch?: string } }> {
  const { value, etag } = await send({ method: 'GET', path: `/api/entries/${id}` })
  const {
    id: _id,
    version: _version,
    created_at: _created,
    updated_at: _updated,
    ...content
  } = isJsonObject(value) ? value : {}
  return { content, ifMatch: etag === undefined ? {} : { ifMatch: etag } }
}

function linesOf(fields: object): string {
  return Object.entries(fields)
    .map(([name, value]) => `${asLine(name)}: ${jsonLine(value)}`)
    .join('\n')
}
