import { PROTOCOL_VERSION } from '@saldo/core'

/**
 * The reason why no response came from the service. `unreachable`: it may pass without anybody's doing. `wrongService`:
 * something else answers at the address, such as another web server, a captive portal, or TLS where there should be
 * none. `unknownProtocol`: the service no longer serves programs as old as this one. `detail` is for diagnosis.
 */
export interface ExchangeFailure {
  code: 'unreachable' | 'wrongService' | 'unknownProtocol'
  detail: string
  cause?: unknown
}

/** No response came, or its body broke off; `cause` has the reason. */
export class NetworkError extends Error {}

/** Resolves to what the network brings. Throws a `NetworkError` if it fails: any other error is a defect. */
export async function networkResult<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw new NetworkError('', { cause })
  }
}

/** Names and codes of errors of TLS, certificates and HTTP in Node: what answers speaks another protocol. */
const FOREIGN_ERROR = /^(ERR_SSL|ERR_TLS|HTTPParser|CERT_|DEPTH_|SELF_|UNABLE_)/

/** Returns why `fetch` failed. In a browser, errors say no more than that it did. */
export function faultOf({ cause: error }: NetworkError, { origin }: URL): ExchangeFailure {
  // Node wraps the error of the connection.
  const { code, name, message } = ((error as Error).cause ?? error) as Partial<Error> & { code?: unknown }
  const kind = typeof code === 'string' ? code : name
  // Where TLS is expected, Node and others hang up on plain HTTP.
  const hint = kind === 'UND_ERR_SOCKET' || kind === 'ECONNRESET' ? ' (http or https?)' : ''
  return {
    code: FOREIGN_ERROR.test(kind ?? '') ? 'wrongService' : 'unreachable',
    detail: `${origin}: ${kind} ${message}${hint}`,
    cause: error,
  }
}

/** Returns why a response does not count; `undefined` if it is of a service that this program can talk to (D9.13). */
export function faultIn({ status, headers }: Response, { origin }: URL): ExchangeFailure | undefined {
  const protocol = headers.get('saldo-protocol')
  if (protocol === null) {
    const what = headers.get('location') ?? headers.get('content-type') ?? ''
    // A proxy in front of a service that restarts answers with a status from 500.
    const code = status < 500 ? 'wrongService' : 'unreachable'
    return { code, detail: `${origin} is not Saldo: ${status} ${what}`.trim() }
  }
  const [known, earliest = 1] = /^\d+(?:; *from=(\d+))?$/.exec(protocol) ?? []
  if (known && Number(earliest) <= PROTOCOL_VERSION) return undefined
  return { code: 'unknownProtocol', detail: `${origin} has protocol ${protocol}, newer than ${PROTOCOL_VERSION}` }
}
