import { expect, test } from 'vitest'
import { networkOf } from '../../src/http/proxy.ts'

test('[D8.29] an IPv4 address counts by itself, in every spelling that a proxy or a socket may use', () => {
  for (const text of [
    '192.0.2.1',
    '  192.0.2.1 ',
    '192.0.2.1:49152',
    '[192.0.2.1]:49152',
    '::ffff:192.0.2.1',
    '::FFFF:192.0.2.1',
    '::ffff:c000:201',
    '0:0:0:0:0:ffff:192.0.2.1',
    '0000:0000:0000:0000:0000:FFFF:C000:0201',
    '[::ffff:192.0.2.1]',
    '[::ffff:c000:201]:443',
    '::ffff:192.0.2.1:443',
  ]) {
    expect(networkOf(text), text).toBe('192.0.2.1')
  }
  expect(networkOf('192.0.2.2')).toBe('192.0.2.2')
  expect(networkOf('::ffff:255.254.253.252')).toBe('255.254.253.252')
})

test('[D8.29] an IPv6 address counts by its /64 network', () => {
  for (const text of [
    '2001:db8:0:1::',
    '2001:db8:0:1::1',
    '2001:0DB8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1:0:ffff:192.0.2.1',
    '[2001:db8:0:1::9]',
    ' [2001:db8:0:1::9]:443 ',
    '[2001:db8:0:1:1:2:3:4]:65535',
    '2001:db8:0:1::9%eth0',
    '[2001:db8:0:1::9%25eth0]:443',
  ]) {
    expect(networkOf(text), text).toBe('2001:db8:0:1::/64')
  }
  for (const [text, network] of [
    ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
    ['2001:db8:1::1', '2001:db8:1:0::/64'],
    ['2001:db9:0:1::1', '2001:db9:0:1::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::192.0.2.1', '0:0:0:0::/64'],
    ['::fffe:192.0.2.1', '0:0:0:0::/64'],
    ['1::ffff:192.0.2.1', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
    ['::2:3:4:5:6:7:8', '0:2:3:4::/64'],
  ] as const) {
    expect(networkOf(text), text).toBe(network)
  }
})

test('[D8.29] a text that is not an address counts as it is', () => {
  for (const text of ['', 'unknown', '_hidden', 'user@192.0.2.1', '192.0.2', '[::1', '1:2:3', 'x:1']) {
    expect(networkOf(text), text).toBe(text)
  }
})
