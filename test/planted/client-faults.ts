import { randomUUID } from 'node:crypto'
import type { ServiceRequest, ServiceResponse, Transport } from '@saldo/client'

/** A client that breaks a rule, by what it makes of its requests and of the answers. */
export interface ClientFault {
  /** The rule that it breaks. */
  rule: string
  /** A part of the title of the check that finds it. */
  check: string
  alter(transport: Transport): Transport
}

// biome-ignore lint/suspicious/noExplicitAny: a planted fault reaches into whatever goes over the wire
type Json = any

const isPull = ({ path }: ServiceRequest) => path.startsWith('/api/sync/pull')
const isDigest = ({ path }: ServiceRequest) => path === '/api/sync/digest'
const isWrite = ({ method }: ServiceRequest) => method !== 'GET'

/** A refusal that the service never sent. */
function refused(status: 404 | 410): ServiceResponse {
  const code = status === 404 ? 'not_found' : 'sync_stale'
  const problem = { type: '', title: '', status, code, detail: 'A planted fault says so.' } as const
  return { outcome: 'rejected', status, problem, headers: new Headers() }
}

/** Changes what is asked. */
const asking =
  (change: (request: ServiceRequest) => ServiceRequest) =>
  (transport: Transport): Transport =>
  (request) =>
    transport(change(request))

/** Changes what is answered. */
const answering =
  (change: (reply: ServiceResponse, request: ServiceRequest) => ServiceResponse) =>
  (transport: Transport): Transport =>
  async (request) =>
    change(await transport(request), request)

const pulled =
  (change: (body: Json, request: ServiceRequest) => void) =>
  (reply: ServiceResponse, request: ServiceRequest): ServiceResponse => {
    if (isPull(request) && reply.outcome === 'ok') change(reply.body, request)
    return reply
  }

const inPush = (request: ServiceRequest, change: (one: Json) => void): ServiceRequest => {
  if (request.path !== '/api/sync/push') return request
  const body = structuredClone(request.body) as Json
  for (const one of body.changes) change(one)
  return { ...request, body }
}

let edits = 0

/** Clients that break a rule each, by name. */
export const clientFaults: Readonly<Record<string, ClientFault>> = {
  'queues before it asks the service': {
    rule: 'R5.1',
    check: 'each mutation goes to the service first',
    alter: (transport) => async (request) => {
      if (isWrite(request) && request.path !== '/api/sync/push') return { outcome: 'retryable', retryAfterMs: 0 }
      return transport(request)
    },
  },
  'gives up what it has no network for': {
    rule: 'R5.1',
    check: 'without a network a change is stored',
    alter: answering((reply, request) => {
      if (reply.outcome !== 'retryable' || !isWrite(request)) return reply
      const problem = { type: '', title: '', status: 400, code: 'invalid_request' as const, detail: 'no network' }
      return { outcome: 'rejected', status: 400, problem, headers: new Headers() }
    }),
  },
  'pushes everything as one record': {
    rule: 'R5.3',
    check: 'a push carries the latest change',
    alter: asking((request) =>
      inPush(request, ({ record }) => {
        if (record) record.note = 'same'
      }),
    ),
  },
  'stamps each attempt anew': {
    rule: 'D7.1',
    check: 'are the same in every attempt',
    alter: asking((request) =>
      inPush(request, ({ record }) => {
        edits += 1
        if (record) record.updated_at = new Date(Date.parse(record.updated_at) + edits).toISOString()
      }),
    ),
  },
  'makes another record of each attempt': {
    rule: 'D7.2',
    check: 'a lost response does not repeat',
    alter: asking((request) =>
      inPush(request, ({ record }) => {
        if (record) record.id = randomUUID()
      }),
    ),
  },
  'takes a captive portal for the service': {
    rule: 'D7.7',
    check: 'responses of another server queue a change',
    alter: answering((reply, request) => {
      const [, id, updatedAt] = /\/([^/?]+)\?updated_at=([^&]+)/.exec(request.path) ?? []
      if (reply.outcome !== 'retryable' || id === undefined) return reply
      const stamp = { id, version: 1, updated_at: decodeURIComponent(String(updatedAt)) }
      return { outcome: 'ok', status: 200, body: { ...Object(request.body), ...stamp }, headers: new Headers() }
    }),
  },
  'drops its outbox after a 401': {
    rule: 'D7.9',
    check: 'a 401 queues a change',
    alter: answering((reply) => {
      if (reply.outcome !== 'unauthenticated') return reply
      const problem = { type: '', title: '', status: 401, code: 'unauthenticated' as const, detail: 'no' }
      return { outcome: 'rejected', status: 401, problem, headers: new Headers() }
    }),
  },
  'queues what the service refuses': {
    rule: 'D7.10',
    check: 'a rejected direct write',
    alter: answering((reply) =>
      reply.outcome === 'rejected' && reply.status === 422 ? { outcome: 'retryable', retryAfterMs: 0 } : reply,
    ),
  },
  'gives its own time to edits': {
    rule: 'D7.3',
    check: 'a change is later than the record',
    alter: asking((request) => ({
      ...request,
      path: request.path.replace(/updated_at=[^&]+/, `updated_at=${new Date().toISOString()}`),
    })),
  },
  'always pulls from the beginning': {
    rule: 'R5.4',
    check: 'pulls continue from the last version',
    alter: asking((request) => ({ ...request, path: request.path.replace(/since=\d+/, 'since=0') })),
  },
  'believes that each page is the last': {
    rule: 'D5.4',
    check: 'pulls continue from the last version',
    alter: answering(
      pulled((body) => {
        body.has_more = false
      }),
    ),
  },
  'takes 410 for a failure that passes': {
    rule: 'R5.5',
    check: 'after a 410 the client does a cold start',
    alter: answering((reply) =>
      reply.outcome === 'rejected' && reply.status === 410 ? { outcome: 'retryable', retryAfterMs: 0 } : reply,
    ),
  },
  'takes the first page of a snapshot for all of it': {
    rule: 'R5.6',
    check: 'an interrupted cold start',
    alter: answering(
      pulled((body) => {
        if (body.cursor) body.cursor = null
      }),
    ),
  },
  'looks at no tags': {
    rule: 'D7.35',
    check: 'a history reset is recognised',
    alter: answering(
      pulled((body) => {
        body.tag = body.since_tag = null
      }),
    ),
  },
  'asks for no digests': {
    rule: 'D10.11',
    check: 'the digest finds an error',
    alter: answering((reply, request) => (isDigest(request) ? refused(404) : reply)),
  },
  'starts cold again and again': {
    rule: 'D10.12',
    check: 'the client waits for a day',
    alter: (transport) => {
      let isWrong = false
      return async (request) => {
        const wasWrong = isWrong && isPull(request)
        isWrong = isDigest(request) || (isWrong && !wasWrong)
        return wasWrong ? refused(410) : transport(request)
      }
    },
  },
  'erases fields that it does not know': {
    rule: 'D1.2',
    check: 'unknown fields survive in the client',
    alter: asking((request) => {
      const { 'x-mood': _gone, ...body } = Object(request.body)
      return request.method === 'PUT' ? { ...request, body } : request
    }),
  },
}
