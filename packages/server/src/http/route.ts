import type { IncomingHttpHeaders } from 'node:http'
import type { Writable } from 'node:stream'
import type { ProblemCode, TokenScope } from '@saldo/core'
import type * as v from 'valibot'
import type { Identity } from '../users/identification.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * The callers of a route: anybody; a signed-in user by session, or by a token with at least this scope; a signed-in
 * user by session only; an admin by session.
 */
export type Access = 'public' | TokenScope | 'session' | 'admin'

type ObjectSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>

/** A body without an end of its own. */
export interface Stream {
  /** Starts writing after the headers; ends the response at once if the stream is stopped already. */
  begin(outgoing: Writable): void
  /** Ends the stream, for example because the client is gone. */
  stop(): void
}

/** The response of a route. The body is JSON unless `content-type` says otherwise. */
export interface RouteResponse {
  status: number
  /** Bytes must be the same object in every response that has them: they are compressed once. */
  body?: string | Uint8Array
  /** Replaces the body: its parts, each made once the client has taken those before it. */
  parts?: AsyncIterable<string>
  /** Replaces the body. */
  stream?: Stream
  headers?: Record<string, string>
  setCookies?: readonly string[]
  /** Called once the client has taken the response of a public route, or is gone. */
  onTaken?: () => void
}

/** A documented response of a route. */
export interface ResponseSpec {
  description: string
  schema?: v.GenericSchema
  /** The media type of a body that is not JSON. */
  contentType?: string
  headers?: readonly string[]
}

export interface RouteSpec<
  P extends ObjectSchema | undefined = ObjectSchema | undefined,
  Q extends ObjectSchema | undefined = ObjectSchema | undefined,
  B extends v.GenericSchema | undefined = v.GenericSchema | undefined,
  A extends Access = Access,
> {
  method: Method
  /** With parameters as OpenAPI writes them: `/api/entries/{id}`. */
  path: string
  /** The section of the API document. */
  tag: string
  summary: string
  description?: string
  access: A
  params?: P
  query?: Q
  body?: B
  /** The documented body, if the handler checks parts of it itself. */
  documentedBody?: v.GenericSchema
  maxBodyBytes?: number
  /** True for a POST that changes nothing: what it asks for is in the body, since proxies log addresses (D8.43). */
  isRead?: true
  /** True for a route that ends access to the account: it waits for no place, and for no other request (D1.38). */
  endsAccess?: true
  responses: Record<number, ResponseSpec>
  /** Problems besides those of every route. */
  problems?: readonly ProblemCode[]
}

type Output<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined

/** A request, checked against the schemas of its route. */
export interface CheckedRequest<P = unknown, Q = unknown, B = unknown, I = unknown> {
  params: P
  query: Q
  body: B
  headers: IncomingHttpHeaders
  identity: I
  /** The IPv4 address or IPv6 network of the client, as trusted proxies report it. */
  clientNetwork: string
}

export interface Route {
  spec: RouteSpec
  handle(request: CheckedRequest): Promise<RouteResponse>
}

/** Ties a handler to its specification, which gives the types of the request. */
export function route<
  P extends ObjectSchema | undefined = undefined,
  Q extends ObjectSchema | undefined = undefined,
  B extends v.GenericSchema | undefined = undefined,
  A extends Access = Access,
>({
  endpoint,
  handle,
  ...spec
}: Omit<RouteSpec<P, Q, B, A>, 'method' | 'path'> & {
  /** Method and path, such as `GET /api/entries/{id}`. */
  endpoint: `${Method} ${string}`
  handle: (
    request: CheckedRequest<Output<P>, Output<Q>, Output<B>, A extends 'public' ? undefined : Identity>,
  ) => Promise<RouteResponse>
}): Route {
  const [method, path] = endpoint.split(' ') as [Method, string]
  return { spec: { ...spec, method, path }, handle: handle }
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): RouteResponse {
  return { status, body: JSON.stringify(value), headers }
}
