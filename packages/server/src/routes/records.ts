import type { IncomingHttpHeaders } from 'node:http'
import {
  type Checked,
  check,
  contentSchemas,
  DateText,
  type InputError,
  InstantText,
  isJsonObject,
  type JsonObject,
  parseContent,
  type RecordId,
  recordSchemas,
  Uuid,
  type WritableKind,
} from '@saldo/core'
import * as v from 'valibot'
import { requireMatch } from '../http/preconditions.ts'
import { ProblemError } from '../http/problem.ts'
import { type Access, type Route, route } from '../http/route.ts'
import type { StoredRecord } from '../store/store.ts'
import { dateSpan, isLive } from '../store/stored-records.ts'
import { applyChanges } from '../sync/apply-changes.ts'
import type { Identity } from '../users/identification.ts'
import {
  described,
  listing,
  listResponse,
  numberText,
  paging,
  readRoute,
  recordResponse,
  tombstoneHeaders,
} from './collection.ts'
import type { RouteContext } from './route-context.ts'

const IdParam = v.object({ id: Uuid })

/** The stamp of a device on its direct write. */
const DeviceStamp = v.object({
  updated_at: described(
    InstantText,
    'When the device made the change. The write then follows the conflict rule of push.',
  ),
  device: described(Uuid, 'The UUID of the device.'),
  seq: described(numberText(0, Number.MAX_SAFE_INTEGER), 'The number of the edit on that device.'),
})

const DateQuery = v.object({
  from: described(DateText, 'The first date, inclusive.'),
  to: described(DateText, 'The last date, inclusive.'),
  ...paging,
})

/** Returns the routes of settings or of balance adjustments, which are records on dates. */
export function datedRecordRoutes(
  services: RouteContext,
  kind: 'settings_history' | 'balance_adjustments',
  path: string,
  noun: string,
): Route[] {
  const list = route({
    ...listing(kind, path, noun),
    query: DateQuery,
    handle: ({ identity, query }) =>
      services.records.read(identity.user, (reader) => listResponse(reader, kind, dateSpan(query), query)),
  })
  return [list, ...recordRoutes(services, kind, path, noun)]
}

/** Returns the routes that create, read, replace and delete records of a kind (R1.2). */
export function recordRoutes(services: RouteContext, kind: WritableKind, path: string, noun: string): Route[] {
  const { random } = services
  const schema = recordSchemas[kind]
  const access: Access = kind === 'entries' ? 'record' : 'full'
  const common = { tag: noun, access }
  const withRecord = { ...common, body: v.unknown(), documentedBody: contentSchemas[kind] }
  const ofEntries = kind === 'entries' ? (['approval_needed'] as const) : []
  const ofCompany = ['locked', 'managed', ...ofEntries] as const
  const problems = ['not_found', 'precondition_failed', 'quota_exceeded', ...ofCompany] as const
  const problemsOfRecord = [...problems, 'invalid_record'] as const

  return [
    route({
      ...withRecord,
      endpoint: `POST ${path}`,
      summary: `Create one of the ${noun}`,
      description:
        'If the `id` in the body already exists, answers the stored record. Without `id`, the service chooses one.',
      query: DeviceStamp,
      responses: {
        200: { description: 'The id already exists: the stored record.', schema, headers: ['ETag'] },
        201: { description: 'Created.', schema, headers: ['ETag', 'Location'] },
      },
      problems: problemsOfRecord,
      handle: async (request) => {
        const id = idIn(request.body) ?? random.uuid()
        const written = await write(services, request, { kind, id, content: contentIn(kind, request.body) }, isNew)
        const response = recordResponse(written.stored)
        const isCreated = written.status === 'applied' && !written.existed
        return isCreated
          ? { ...response, status: 201, headers: { ...response.headers, location: `${path}/${id}` } }
          : response
      },
    }),
    readRoute(services, kind, path, noun, { field: 'id', name: Uuid, keyOf: (_user, id) => ({ kind, id }) }),
    route({
      ...withRecord,
      endpoint: `PUT ${path}/{id}`,
      summary: `Replace one of the ${noun}`,
      description: 'With `updated_at`, it is created or replaced by the conflict rule. Without, the record must exist.',
      params: IdParam,
      query: DeviceStamp,
      responses: { 200: { description: 'The stored record.', schema, headers: ['ETag'] } },
      problems: problemsOfRecord,
      handle: async (request) => {
        const { id } = request.params
        if ((idIn(request.body) ?? id) !== id) {
          throw invalidRecord([{ pointer: '/id', detail: 'must be the id in the path' }])
        }
        const change = { kind, id, content: contentIn(kind, request.body) }
        return recordResponse((await write(services, request, change, isLive)).stored)
      },
    }),
    route({
      ...common,
      endpoint: `DELETE ${path}/{id}`,
      summary: `Delete one of the ${noun}`,
      params: IdParam,
      query: DeviceStamp,
      responses: {
        200: { description: 'A later change wins over the deletion.', schema, headers: ['ETag'] },
        204: { description: 'Deleted.', headers: ['Saldo-Version', 'Saldo-Updated-At'] },
      },
      problems,
      handle: async (request) => {
        const change = { kind, id: request.params.id, content: null }
        const written = await write(services, request, change, isLive)
        if (written.status === 'refused' || written.status === 'superseded') return recordResponse(written.stored)
        return { status: 204, headers: tombstoneHeaders(written.stored) }
      },
    }),
  ]
}

/** The outcome of a direct write, and the record that is now stored. */
type Written =
  | { status: 'refused'; stored: StoredRecord | undefined; existed: boolean }
  | { status: 'applied' | 'unchanged' | 'superseded'; stored: StoredRecord; existed: boolean }

const isNew = (stored: StoredRecord | undefined) => stored === undefined

/** Applies one change. Without the stamp of a device, it is refused unless `isWritable` accepts the stored record. */
function write(
  { records, clock, config }: RouteContext,
  request: { identity: Identity; headers: IncomingHttpHeaders; query: v.InferOutput<typeof DeviceStamp> },
  change: { kind: WritableKind; id: RecordId; content: JsonObject | null },
  isWritable: (stored: StoredRecord<WritableKind> | undefined) => boolean,
): Promise<Written> {
  const { user } = request.identity
  const { updated_at: updatedAt, device, seq } = request.query
  const stamped = { ...change, updatedAt: updatedAt ?? null, device, seq }
  const nowMs = clock.now()
  return records.write(user, async (writer) => {
    const [stored] = await writer.find([change])
    requireMatch(request.headers, stored)
    const existed = isLive(stored)
    if (updatedAt === undefined && !isWritable(stored)) return { status: 'refused', stored, existed }
    const [outcome] = await applyChanges(writer, [stamped], { user, nowMs, quotaBytes: config.quotaBytes })
    if (!outcome) throw new Error('a change has no outcome')
    if (outcome.status === 'rejected') {
      const { code, detail, errors } = outcome.rejection
      throw new ProblemError(code, detail, { ...(errors && { errors }) })
    }
    return { status: outcome.status, stored: outcome.record, existed }
  })
}

function idIn(record: unknown): RecordId | undefined {
  if (!isJsonObject(record) || record.id === undefined) return undefined
  return valid(check(Uuid, record.id, '/id'))
}

function contentIn(kind: WritableKind, record: unknown): JsonObject {
  return valid(parseContent(kind, record)) as JsonObject
}

function valid<T>(checked: Checked<T>): T {
  if (!checked.ok) throw invalidRecord(checked.errors)
  return checked.value
}

function invalidRecord(errors: InputError[]): ProblemError {
  return new ProblemError('invalid_record', 'The record is not valid.', { errors })
}
