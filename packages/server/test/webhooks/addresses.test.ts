import { createSocket } from 'node:dgram'
import type { LookupOptions } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { expect, onTestFinished, test } from 'vitest'
import {
  areAllPublic,
  isAllowedUrl,
  isPublicAddress,
  publicLookup,
  RefusedAddressError,
} from '../../src/webhooks/addresses.ts'

const PUBLIC = ['1.1.1.1', '8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '2606:4700:4700::1111', '2a00::1']
const NOT_PUBLIC = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.16.0.1'],
  ...['172.31.255.255', '192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.1'],
  ...['203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:8.8.8.8', '::ffff:a9fe:a9fe', '::127.0.0.1', '64:ff9b::7f00:1'],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', 'fc00::1', 'fd12::1', 'fe80::1'],
  ...['fec0::1', 'ff02::1', 'fe80::1%eth0', 'localhost', ''],
]

test('[D22.12] private, local, shared, reserved, multicast and tunnelled addresses are not public', () => {
  expect(PUBLIC.filter((address) => !isPublicAddress(address))).toEqual([])
  expect(NOT_PUBLIC.filter(isPublicAddress)).toEqual([])
})

test('[D22.12] a URL is https without credentials and names no private address, however it is written', () => {
  const allowed = [
    'https://example.com/hook?key=1',
    'https://example.com:8443/',
    'https://1.1.1.1/',
    'https://[2a00::1]/',
  ]
  const refused = [
    ...['http://example.com/', 'ftp://example.com/', 'file:///etc/passwd', 'example.com', '', 'https://'],
    ...['https://user@example.com/', 'https://user:secret@example.com/', `https://example.com/${'x'.repeat(2_000)}`],
    ...['https://127.0.0.1/', 'https://127.1/', 'https://2130706433/', 'https://0x7f.1/', 'https://0177.0.0.1/'],
    ...['https://[::1]/', 'https://[::ffff:127.0.0.1]/', 'https://[fd00::1]/', 'https://169.254.169.254/latest'],
  ]
  expect(allowed.filter((url) => !isAllowedUrl(url, []))).toEqual([])
  expect(refused.filter((url) => isAllowedUrl(url, []))).toEqual([])
})

test('[D22.12] a host of the operator may be private and plain, at its port only', () => {
  const hosts = ['homeassistant.local:8123', '10.0.0.5', '[fd00::1]']
  const isAllowed = (url: string) => isAllowedUrl(url, hosts)
  for (const url of ['http://homeassistant.local:8123/api/webhook/x', 'http://10.0.0.5/', 'https://[fd00::1]/']) {
    expect(isAllowed(url), url).toBe(true)
  }
  for (const url of [
    ...['http://homeassistant.local/', 'http://10.0.0.5:22/', 'http://10.0.0.6/', 'http://a@10.0.0.5/'],
    ...['ftp://10.0.0.5/', 'http://10.0.0.5.example.com/'],
  ]) {
    expect(isAllowed(url), url).toBe(false)
  }
})

test('[D22.12] a host is refused if any of its addresses is not public, whichever it is', () => {
  for (const hidden of ['10.0.0.1', '127.0.0.1', '::1', 'fd00::1']) {
    expect(areAllPublic([hidden, ...PUBLIC]), hidden).toBe(false)
    expect(areAllPublic([...PUBLIC, hidden]), hidden).toBe(false)
    expect(areAllPublic([hidden]), hidden).toBe(false)
  }
  expect(areAllPublic(PUBLIC)).toBe(true)
})

const lookUp = (host: string, options: LookupOptions, openResolver?: () => Resolver) =>
  new Promise((resolve, reject) => {
    publicLookup(openResolver)(host, options, (error, ...found) => (error ? reject(error) : resolve(found)))
  })

test('[D22.12] a look-up gives public addresses, one or all as is asked, and refuses this computer', async () => {
  // An address needs no name server.
  expect(await lookUp('1.1.1.1', { all: true })).toEqual([[{ address: '1.1.1.1', family: 4 }]])
  expect(await lookUp('2a00::1', {})).toEqual(['2a00::1', 6])
  for (const host of ['127.0.0.1', '::1']) {
    for (const options of [{}, { all: true }]) {
      await expect(lookUp(host, options), host).rejects.toThrow(RefusedAddressError)
    }
  }
})

/** Opens a name server that answers with an address for each name of IPv4, or never; returns its port. */
async function openNameServer(address: string | null): Promise<number> {
  const socket = createSocket('udp4')
  onTestFinished(() => {
    socket.close()
  })
  socket.on('message', (query, { port }) => {
    if (address === null) return
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const isIpv4 = question.readUInt16BE(question.length - 4) === 1
    const head = Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0])])
    const found = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]
    socket.send(Buffer.concat([head, question, ...(isIpv4 ? [Buffer.from(found)] : [])]), port)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return socket.address().port
}

test('[D22.12] [D22.13] a silent name server holds up no other look-up; private addresses are refused', async () => {
  const at = async (address: string | null) => {
    const server = `127.0.0.1:${await openNameServer(address)}`
    return () => {
      const resolver = new Resolver({ timeout: 60_000, tries: 1 })
      resolver.setServers([server])
      return resolver
    }
  }
  const silent = (await at(null))()
  const waiting = Array.from({ length: 32 }, (_, index) => lookUp(`${index}.example`, {}, () => silent))
  const ended = Promise.allSettled(waiting)
  expect(await lookUp('receiver.example', { all: true }, await at('1.1.1.1'))).toEqual([
    [{ address: '1.1.1.1', family: 4 }],
  ])
  await expect(lookUp('receiver.example', {}, await at('10.0.0.1'))).rejects.toThrow(RefusedAddressError)
  silent.cancel()
  expect((await ended).every(({ status }) => status === 'rejected')).toBe(true)
})
