import { fetchTransport } from '@saldo/client'
import { isJsonObject, type Problem } from '@saldo/core'

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

/** Returns a function that sends requests with a token. It throws `ServiceError`. */
export function senderTo({ url, token }: { url: string; token: string }): Send {
  const transport = fetchTransport({ url, token })
  return async ({ ifMatch, ...request }) => {
    const response = await transport({ ...request, ...(ifMatch !== undefined && { headers: { 'if-match': ifMatch } }) })
    if (response.outcome === 'ok') {
      return { value: response.body, etag: response.headers.get('etag') ?? undefined }
    }
    const failure = response.outcome === 'retryable' ? response.failure : undefined
    if (failure?.code === 'wrongService') throw new ServiceError(`There is no Saldo at ${url}.`, { cause: failure })
    if (failure || !response.problem) {
      throw new ServiceError(`The service at ${url} cannot be reached.`, { cause: failure })
    }
    throw new ServiceError(refusal(response.problem))
  }
}

/** Returns a problem as one text, with the faults in the input. */
function refusal({ status, title, detail, errors }: Problem): string {
  const faults: unknown[] = Array.isArray(errors) ? errors : []
  const details = faults.filter(isJsonObject).map((fault) => `${String(fault.pointer)} ${String(fault.detail)}`)
  return [`${status} ${title}: ${detail}`, ...details].join('\n')
}
