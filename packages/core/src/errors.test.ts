import { describe, expect, test } from 'vitest'
import { Problem, type ProblemCode, problemOf, problems } from './errors.ts'
import { check } from './validation.ts'

describe('problems', () => {
  test.each<[ProblemCode, number]>([
    ['invalid_request', 400],
    ['invalid_since', 400],
    ['invalid_cursor', 400],
    ['unauthenticated', 401],
    ['forbidden', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['sync_stale', 410],
    ['precondition_failed', 412],
    ['payload_too_large', 413],
    ['unsupported_media_type', 415],
    ['invalid_record', 422],
    ['rate_limited', 429],
    ['unavailable', 503],
    ['storage_full', 503],
  ])('[D1.18] %s is %i', (code, status) => {
    expect(problems[code].status).toBe(status)
  })

  test('[R3.5] the condition of 410 is named SyncStale', () => {
    expect(problemOf('sync_stale', 'The log no longer reaches back that far.')).toStrictEqual({
      type: 'urn:saldo:problem:sync_stale',
      title: 'SyncStale',
      status: 410,
      code: 'sync_stale',
      detail: 'The log no longer reaches back that far.',
    })
  })

  test('[D1.18] every code has its own problem document, with and without errors', () => {
    const codes = Object.keys(problems) as ProblemCode[]
    for (const code of codes) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/)
      const errors = [{ pointer: '/a~1b/0', detail: 'must be text' }]
      for (const problem of [problemOf(code, 'What happened.'), problemOf(code, 'What happened.', errors)]) {
        expect(check(Problem, problem)).toStrictEqual({ ok: true, value: problem })
        expect(problem.status).toBeGreaterThanOrEqual(400)
        expect(problem.title).not.toBe('')
      }
      expect('errors' in problemOf(code, 'What happened.')).toBe(false)
      expect(problemOf(code, 'What happened.', errors).errors).toEqual(errors)
    }
    expect(new Set(codes.map((code) => problemOf(code, '').type)).size).toBe(codes.length)
  })
})
