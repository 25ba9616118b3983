import { problems } from '@saldo/core'

/** The key of what a problem says; `undefined` where only the service's own words say it. */
export function problemKey({ type, code }: { type?: string; code: string }): string | undefined {
  // The client gives code `internal` to responses that are not problem documents.
  return type !== 'about:blank' && code in problems ? `ui.problem.${code}` : undefined
}
