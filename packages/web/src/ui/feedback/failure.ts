import {
  InvalidRecordError,
  MissingRecordError,
  NotSignedInError,
  OfflineError,
  OtherUserError,
  RejectedError,
  StoreError,
  UnsentChangesError,
  WrongServiceError,
} from '@saldo/client'
import { type ProblemCode, problems } from '@saldo/core'

/** An error whose reason the app says in its own words. */
export class WordedError extends Error {
  /** The key of the text with the reason. */
  readonly key: string

  constructor(key: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'WordedError'
    this.key = key
  }
}

/** An authenticator failed or the user cancelled. */
export class AuthenticatorError extends WordedError {
  constructor(key: string, cause: unknown) {
    super(key, 'The authenticator did not do it.', { cause })
    this.name = 'AuthenticatorError'
  }
}

const missing = new WeakSet<object>()

/** Remembers errors of chunks that could not be loaded; Vite dispatches them before it throws. */
export function noticeMissingParts(window: EventTarget): void {
  window.addEventListener('vite:preloadError', (event) => missing.add((event as VitePreloadErrorEvent).payload))
}

function isMissingPart(error: unknown): boolean {
  return error instanceof Error && missing.has(error)
}

/** Returns the key of a problem's text; `undefined` if only the service has a text. */
export function problemKey({ type, code }: { type?: string; code: string }): string | undefined {
  // The client gives code `internal` to responses that are not problem documents.
  return type !== 'about:blank' && code in problems ? `ui.problem.${code}` : undefined
}

/** The reason of a failure: the key of its text, the detail in it, and the field of the form that it is about. */
export interface Failure {
  key: string
  detail: string
  field?: string
}

/** The key of a text; as a pair, with the field of the form that it belongs to. */
type OwnWord = string | readonly [key: string, field: string]

/** Texts that replace the app's general ones in a view, by problem or by the wrong place in the request. */
export type OwnWords = Partial<Record<ProblemCode | `/${string}`, OwnWord>>

/** Returns the app's text for an error of the service, if it has one. Defects show their own message. */
export function failureOf(error: unknown, own: OwnWords = {}): Failure {
  const detail = error instanceof Error ? error.message : String(error)
  if (error instanceof WrongServiceError) return { key: `ui.failure.${error.code}`, detail }
  if (error instanceof OfflineError || error instanceof RejectedError) {
    const { problem } = error
    if (!problem) return { key: 'ui.failure.offline', detail }
    const pointer = problem.errors?.[0]?.pointer as `/${string}` | undefined
    const word = (pointer && own[pointer]) ?? own[problem.code] ?? problemKey(problem) ?? 'ui.failure.rejected'
    return { ...failureBy(word), detail: problem.detail }
  }
  if (error instanceof WordedError) return { key: error.key, detail }
  if (error instanceof NotSignedInError) {
    return { ...failureBy(own.invalid_credentials ?? 'ui.failure.notSignedIn'), detail }
  }
  if (error instanceof OtherUserError) return { key: 'ui.failure.otherUser', detail }
  if (error instanceof UnsentChangesError) return { key: 'ui.failure.unsent', detail }
  if (error instanceof InvalidRecordError) {
    const isTooLong = error.errors.some(({ pointer }) => pointer === '/ended_at')
    return { key: isTooLong ? 'ui.failure.tooLong' : 'ui.failure.invalid', detail }
  }
  if (error instanceof MissingRecordError) return { key: 'ui.failure.gone', detail }
  if (error instanceof StoreError) return { key: `ui.failure.store.${error.code}`, detail }
  if (isMissingPart(error)) return { key: 'ui.failure.part', detail }
  return { key: 'ui.failure.other', detail }
}

function failureBy(word: OwnWord): Pick<Failure, 'key' | 'field'> {
  return typeof word === 'string' ? { key: word } : { key: word[0], field: word[1] }
}
