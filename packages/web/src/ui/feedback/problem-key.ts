import { problems } from '@saldo/core'

/** Returns the key of a problem's text; `undefined` if only the service has a text. */
export function problemKey({ type, code }: { type?: string; code: string }): string | undefined {
  // The client gives code `internal` to responses that are not problem documents.
  return type !== 'about:blank' && code in problems ? `ui.problem.${code}` : undefined
}
