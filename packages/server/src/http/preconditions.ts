import { ProblemError } from './problem.ts'

/** The entity tag of a record at a version. */
export function etagOf(version: number): string {
  return `"${version}"`
}

/** Whether a list of entity tags (RFC 9110 §13.1) names a version; `*` names any. Weak tags count where `weak` is set. */
function names(list: string, version: number, weak: boolean): boolean {
  return list
    .split(',')
    .map((tag) => tag.trim())
    .some((tag) => tag === '*' || tag === etagOf(version) || (weak && tag === `W/${etagOf(version)}`))
}

/** Whether the client already has this version (`If-None-Match`). */
export function isFresh(headers: Headers, version: number): boolean {
  const list = headers.get('if-none-match')
  return list !== null && names(list, version, true)
}

/** Ends the request with 412 unless `If-Match`, where given, names the version that stands; none may stand. */
export function requireMatch(headers: Headers, version: number | undefined): void {
  const list = headers.get('if-match')
  if (list !== null && (version === undefined || !names(list, version, false))) {
    throw new ProblemError('precondition_failed', 'The record has changed since it was read.')
  }
}
