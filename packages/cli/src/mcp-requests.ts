import { isJsonObject } from '@saldo/core'

/** A request to the service. */
export interface AssistantRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: object
  /** The `ETag` of the record that the request may replace or delete. */
  ifMatch?: string
}

/** The service did not answer a request, or refused it. The message is for the assistant. */
export class ServiceError extends Error {}

export type Send = (request: AssistantRequest) => Promise<{ value: unknown; etag: string | undefined }>

const TIMEOUT_MS = 30_000

/** Returns a function that sends requests with a token. It throws `ServiceError`. */
export function senderTo({ url, token }: { url: string; token: string }): Send {
  return async ({ method, path, body, ifMatch }) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((cause: unknown) => {
      throw new ServiceError(`The service at ${url} cannot be reached.`, { cause })
    })
    const value: unknown = await response.json().catch(() => undefined)
    if (!response.headers.has('saldo-protocol')) throw new ServiceError(`There is no Saldo at ${url}.`)
    if (!response.ok) throw new ServiceError(refusal(response.status, value))
    return { value, etag: response.headers.get('etag') ?? undefined }
  }
}

/** Returns the problem of an answer as one text, with the faults in the input. */
function refusal(status: number, problem: unknown): string {
  if (!isJsonObject(problem)) return `The service answered ${status}.`
  const faults = Array.isArray(problem.errors) ? problem.errors : []
  const details = faults.filter(isJsonObject).map(({ pointer, detail }) => `${String(pointer)} ${String(detail)}`)
  return [`${status} ${String(problem.title)}: ${String(problem.detail)}`, ...details].join('\n')
}
