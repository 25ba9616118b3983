import type { Writable } from 'node:stream'
import type { ProblemCode } from '@saldo/core'
import type * as v from 'valibot'
import type { Identity } from '../users/auth.ts'
import type { Parts } from './compress.ts'
import type { RequestHeaders } from './request-headers.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Who may call a route: anybody, a signed-in user by session or token, or a user by session only. */
export type Access = 'public' | 'user' | 'session'

type ObjectSchema = v.GenericSchema<Record<string, unknown>, Record<string, unknown>>

/** A body that goes on for as long as both sides want it to. */
export interface Stream {
  /** Begins to write behind the head, and ends the answer where it ends by itself; at once where it was stopped before. */
  begin(outgoing: Writable): void
  /** The client is gone. */
  stop(): void
}

/** What a route answers; the body, whole or in parts, is JSON unless `content-type` says otherwise. */
export interface Answer {
  status: number
  body?: string | Uint8Array | Parts
  /** Instead of a body. */
  stream?: Stream
  headers?: Record<string, string>
  setCookies?: readonly string[]
}

/** One of the answers that a route documents. */
export interface AnswerSpec {
  description: string
  schema?: v.GenericSchema
  /** Of a body that is no JSON. */
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
  /** The part of the API that it belongs to. */
  tag: string
  summary: string
  description?: string
  access: A
  params?: P
  query?: Q
  body?: B
  /** The body as it is documented, where the handler checks parts of it by itself. */
  documentedBody?: v.GenericSchema
  /** A record as the body; the handler reads it, since what is wrong with it is 422 and not 400. */
  record?: v.GenericSchema
  /** The most that a body may measure, in bytes. */
  maxBodyBytes?: number
  answers: Record<number, AnswerSpec>
  /** What can go wrong beside what goes wrong everywhere. */
  problems?: readonly ProblemCode[]
}

type Output<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined

/** A request whose parts have been checked against the route's schemas. */
export interface CheckedRequest<P = unknown, Q = unknown, B = unknown, I = unknown> {
  params: P
  query: Q
  body: B
  /** The body of a route with a record: any JSON. */
  record: unknown
  headers: RequestHeaders
  identity: I
  /** The address of the client, as far as proxies are believed. */
  clientAddress: string
}

/** A route: what it is, and what it does. */
export interface Route {
  spec: RouteSpec
  handle(request: CheckedRequest): Promise<Answer>
}

/** Ties a handler to its specification; the types of what it is given follow from the schemas. */
export function route<
  P extends ObjectSchema | undefined = undefined,
  Q extends ObjectSchema | undefined = undefined,
  B extends v.GenericSchema | undefined = undefined,
  A extends Access = Access,
>(
  spec: RouteSpec<P, Q, B, A>,
  handle: (
    request: CheckedRequest<Output<P>, Output<Q>, Output<B>, A extends 'public' ? undefined : Identity>,
  ) => Promise<Answer>,
): Route {
  return { spec: spec as RouteSpec, handle: handle as Route['handle'] }
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return { status, body: JSON.stringify(value), headers }
}
