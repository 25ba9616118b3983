import { PROTOCOL_VERSION } from '@saldo/core'

/**
 * The reason why no reply of the service came. `unreachable`: it may pass without anybody's doing. `wrongService`:
 * something else answers at the address, such as another web server, a captive portal, or TLS where there should be
 * none. `unknownProtocol`: the service no longer serves programs as old as this one. `detail` is for diagnosis.
 */
export interface ExchangeFailure {
  code: 'unreachable' | 'wrongService' | 'unknownProtocol'
  detail: string
  cause?: unknown
}

/** No response came, or its body broke off; `cause` has the reason. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super('The network failed.', { cause })
  }
}

/** Resolves to what the network brings. Throws a `NetworkError` if it fails: any other error is a defect. */
export async function networkResult<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw new NetworkError(error)
  }
}

/** Codes of errors of TLS and certificates in Node, and the name of those of HTTP: another protocol answers. */
const FOREIGN_ERROR = /^(?:ERR_SSL_|ERR_TLS_|HTTPParserError$|CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/

/** The codes of errors of a connection that ends without a reply, as it does where TLS is expected. */
const CLOSED_CODES = new Set(['ECONNRESET', 'UND_ERR_SOCKET'])

/** Returns why `fetch` failed. In a browser, errors say no more than that it did. */
export function faultOf(error: unknown, address: URL): ExchangeFailure {
  // Node wraps the error of the connection, and one for all addresses of a name wraps those of each.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code: anyCode, name } = cause as { code?: unknown; name?: string }
  const code = typeof anyCode === 'string' ? anyCode : (name ?? '')
  const message = cause instanceof Error ? cause.message.trim() : String(cause)
  const hint = CLOSED_CODES.has(code) && address.protocol === 'http:' ? ' (should the address begin with https?)' : ''
  const detail = `${address.origin} cannot be reached: ${`${code} ${message}`.trim()}${hint}`
  return { code: FOREIGN_ERROR.test(code) ? 'wrongService' : 'unreachable', detail, cause: error }
}

/** Returns why a response does not count; `undefined` if it is of a service that this program can talk to (D9.13). */
export function faultIn({ status, headers, url }: Response): ExchangeFailure | undefined {
  const protocol = headers.get('saldo-protocol')
  if (protocol === null) {
    // A proxy in front of a service that restarts answers with a status from 500.
    const code = status >= 500 ? 'unreachable' : 'wrongService'
    const target = headers.get('location') ?? (status === 0 ? 'elsewhere' : undefined)
    const what = target ? `redirects to ${target}` : `status ${status}, ${headers.get('content-type') ?? 'no type'}`
    return { code, detail: `${url ? new URL(url).origin : 'The address'} does not answer as Saldo does: ${what}` }
  }
  const [, latest, earliest = '1'] = /^(\d+)(?:; *from=(\d+))?$/.exec(protocol) ?? []
  if (latest !== undefined && Number(earliest) <= PROTOCOL_VERSION) return undefined
  const detail = `The service speaks the protocol '${protocol}', this program speaks ${PROTOCOL_VERSION}. Update it.`
  return { code: 'unknownProtocol', detail }
}
