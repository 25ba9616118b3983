import type { IncomingMessage } from 'node:http'
import { isIPv6 } from 'node:net'

/** UUIDs, hexadecimal digits and the like, as proxies make them. */
const REQUEST_ID = /^[\w.:-]{8,128}$/

/** Returns the request id of a trusted proxy, so that its log and ours can be read together. */
export function requestIdOf({ headers }: IncomingMessage, trustedProxies: number): string | undefined {
  const id = trustedProxies > 0 ? headers['x-request-id'] : undefined
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : undefined
}

/**
 * Returns the network of the client, as the outermost trusted proxy saw it. Only `X-Forwarded-For` is read: a second
 * header that a proxy passes on unseen would let clients choose their network.
 */
export function clientNetworkOf({ socket, headers }: IncomingMessage, trustedProxies: number): string {
  const forwardedFor = trustedProxies > 0 && headers['x-forwarded-for']?.toString().split(',').at(-trustedProxies)
  return networkOf(forwardedFor || (socket.remoteAddress ?? ''))
}

/** Adds `Secure` to a cookie if a trusted proxy received the request over TLS. */
export function secureCookie(cookie: string, { headers }: IncomingMessage, trustedProxies: number): string {
  const isOverTls = trustedProxies > 0 && headers['x-forwarded-proto'] === 'https'
  return isOverTls && !/;\s*secure/i.test(cookie) ? `${cookie}; Secure` : cookie
}

/** An address in brackets, or one that ends like IPv4, with a port. */
const WITH_PORT = /^\[(.*)\](?::\d+)?$|^(.*\.\d+):\d+$/

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address, the least that a customer gets: `192.0.2.1` and
 * `2001:db8:0:1::/64`. Removes port, brackets and zone. An IPv4-mapped IPv6 address counts as IPv4. Returns any other
 * text as it is.
 */
export function networkOf(text: string): string {
  const [, bracketed, dotted] = WITH_PORT.exec(text.trim()) ?? []
  const [address = ''] = (bracketed ?? dotted ?? text.trim()).split('%')
  if (!isIPv6(address)) return address
  const groups = groupsOf(new URL(`http://[${address}]`).hostname.slice(1, -1))
  const isMapped = groups.slice(0, 6).join(':') === '0:0:0:0:0:ffff'
  return isMapped ? ipv4Of(groups.slice(6)) : `${groups.slice(0, 4).join(':')}::/64`
}

/** Returns the eight groups of an IPv6 address in the form of `URL`, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = [], tail = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  return [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail]
}

function ipv4Of(groups: readonly string[]): string {
  return groups.flatMap((group) => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255]).join('.')
}
