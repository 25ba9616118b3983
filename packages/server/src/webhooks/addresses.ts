import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, type LookupFunction } from 'node:net'

const MAX_URL_LENGTH = 2_000

/** IPv4 networks that are not of the public internet (IANA special-purpose registry), and multicast. */
const specialIpv4 = networks('ipv4', [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'],
  ...['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'],
])
/** Everything else in IPv6 is local, reserved, multicast, or holds an IPv4 address. */
const globalIpv6 = networks('ipv6', ['2000::/3'])
/** Networks in `2000::/3` that are reserved, or tunnel to IPv4 addresses. */
const specialIpv6 = networks('ipv6', ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])

function networks(family: 'ipv4' | 'ipv6', list: readonly string[]): BlockList {
  const blockList = new BlockList()
  for (const network of list) {
    const [address = '', prefix] = network.split('/')
    blockList.addSubnet(address, Number(prefix), family)
  }
  return blockList
}

/** True for an IP address of the public internet. */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
    default:
      return false
  }
}

/**
 * True if webhooks may call a URL (D22.12): `https:` without credentials, and no private address; or any host of
 * `privateHosts`, which the operator names as host or `host:port`. Names are checked again when they are resolved.
 */
export function isAllowedUrl(url: string, privateHosts: readonly string[]): boolean {
  const parsed = URL.parse(url)
  if (!parsed || url.length > MAX_URL_LENGTH || parsed.username !== '' || parsed.password !== '') return false
  if (isPrivateHost(parsed, privateHosts)) return /^https?:$/.test(parsed.protocol)
  const address = addressIn(parsed)
  return parsed.protocol === 'https:' && (address === undefined || isPublicAddress(address))
}

/** True if the operator lets webhooks reach the host of a URL wherever it is. */
export function isPrivateHost(url: URL, privateHosts: readonly string[]): boolean {
  return privateHosts.includes(url.host)
}

function addressIn({ hostname }: URL): string | undefined {
  const address = hostname.replace(/^\[|\]$/g, '')
  return isIP(address) === 0 ? undefined : address
}

/** True if a host may be called that has these addresses: one that is not public is enough to refuse it. */
export function areAllPublic(addresses: readonly string[]): boolean {
  return addresses.every(isPublicAddress)
}

/** A host has an address that is not public. */
export class RefusedAddressError extends Error {
  constructor() {
    super('the host has an address that is not public')
    this.name = 'RefusedAddressError'
  }
}

/** Each name server is asked so often, for so long at first. */
const LOOK_UP = { timeout: 2_000, tries: 2 }

/**
 * Returns the look-up of a host's name for a connection. It fails with `RefusedAddressError` if any of the addresses is
 * not public; the connection uses these very addresses, so a name that changes in between gains nothing. It asks the
 * name servers by itself: look-ups of the system take threads of which a process has few, and a silent name server
 * would hold up every other one.
 */
export function publicLookup(openResolver = (): Resolver => new Resolver(LOOK_UP)): LookupFunction {
  return (hostname, options, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      if (!areAllPublic(addresses.map(({ address }) => address))) return callback(new RefusedAddressError(), [])
      const [first] = addresses
      if (options.all || !first) callback(null, addresses)
      else callback(null, first.address, first.family)
    }
    addressesOf(hostname, openResolver()).then(answer, (error: NodeJS.ErrnoException) => callback(error, []))
  }
}

/** Returns the addresses of a host, those of IPv4 first. Fails if it has none of either family. */
async function addressesOf(hostname: string, resolver: Resolver): Promise<LookupAddress[]> {
  const family = isIP(hostname)
  if (family !== 0) return [{ address: hostname, family }]
  const [ipv4, ipv6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const addresses = [
    ...(ipv4.status === 'fulfilled' ? ipv4.value.map((address) => ({ address, family: 4 })) : []),
    ...(ipv6.status === 'fulfilled' ? ipv6.value.map((address) => ({ address, family: 6 })) : []),
  ]
  if (addresses.length === 0 && ipv4.status === 'rejected') throw ipv4.reason
  return addresses
}
