import { problems } from '@saldo/core'

/** The key of what a problem says; `undefined` where only the service's own words say it. */
export function problemKey({ type, code }: { type?: string; code: string }): string | undefined {
  // What was no problem of the service's, the client calls `internal` for want of a better name.
  return type !== 'about:blank' && code in problems ? `ui.problem.${code}` : undefined
}
