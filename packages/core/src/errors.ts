import * as v from 'valibot'
import { namesOf } from './list.ts'

/**
 * Every error with which the service can respond (D1.18). `status` is the HTTP status, `title` the RFC 9457 title; the
 * key is the stable machine code. `docs/http.md` lists exactly these.
 */
export const problems = {
  invalid_request: { status: 400, title: 'Invalid request' },
  invalid_since: { status: 400, title: 'Invalid since' },
  invalid_cursor: { status: 400, title: 'Invalid cursor' },
  unauthenticated: { status: 401, title: 'Sign-in needed' },
  invalid_credentials: { status: 401, title: 'Wrong e-mail address or password' },
  second_factor_required: { status: 403, title: 'Code needed' },
  forbidden: { status: 403, title: 'Not allowed' },
  not_found: { status: 404, title: 'Not found' },
  method_not_allowed: { status: 405, title: 'Method not allowed' },
  conflict: { status: 409, title: 'Conflict' },
  approval_needed: { status: 409, title: 'Approval needed' },
  locked: { status: 409, title: 'Month locked' },
  managed: { status: 409, title: 'Managed by HR' },
  sync_stale: { status: 410, title: 'SyncStale' },
  precondition_failed: { status: 412, title: 'Precondition failed' },
  payload_too_large: { status: 413, title: 'Payload too large' },
  unsupported_media_type: { status: 415, title: 'Unsupported media type' },
  invalid_record: { status: 422, title: 'Invalid record' },
  rate_limited: { status: 429, title: 'Too many requests' },
  internal: { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Unavailable' },
  quota_exceeded: { status: 507, title: 'Quota exceeded' },
  storage_full: { status: 503, title: 'Storage full' },
} as const satisfies Record<string, { status: number; title: string }>

/** A key of `problems`. */
export type ProblemCode = keyof typeof problems

/** One fault in an input: `pointer` is an RFC 6901 JSON pointer into it, `detail` says what is expected. */
export interface InputError {
  pointer: string
  detail: string
}

/** An RFC 9457 problem document as it goes over the wire. */
export const Problem = v.object({
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  code: v.picklist(namesOf(problems)),
  detail: v.string(),
  errors: v.optional(v.array(v.object({ pointer: v.string(), detail: v.string() }))),
})
export type Problem = v.InferOutput<typeof Problem>

/** Returns the problem document of `code`; `detail` is one sentence for a person. */
export function problemOf(code: ProblemCode, detail: string, errors?: InputError[]): Problem {
  const { status, title } = problems[code]
  return { type: `urn:saldo:problem:${code}`, title, status, code, detail, ...(errors && { errors }) }
}
