import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyText, dateBetween, oddZones, zone } from '../test/arbitraries.ts'
import { firstInstant, isZone } from './zone.ts'

describe('isZone', () => {
  test('[D1.10] every zone of the IANA database that this runtime has, links included, is a zone', () => {
    const links = [
      'America/Argentina/ComodRivadavia',
      'UTC',
      'US/Pacific',
      'Asia/Calcutta',
      'Europe/Kiev',
      'Etc/GMT+12',
      'Etc/GMT-14',
      'GMT',
      'EST5EDT',
    ]
    for (const name of [...Intl.supportedValuesOf('timeZone'), ...links, ...oddZones]) {
      expect(isZone(name), name).toBe(true)
    }
  })

  test.each([
    ['offsets', ['+01:00', '-0330', '+01', 'UTC+1', 'GMT+1:00']],
    [
      'text around a zone',
      ['', ' ', 'Europe/Berlin ', ' Europe/Berlin', 'Europe/Berlin\n', 'Europe//Berlin', '/UTC', 'UTC/'],
    ],
    ['names that are none', ['Mars/Olympus_Mons', 'Europe', 'Z', 'local', 'undefined', '__proto__', 'constructor']],
    ['instants with a zone', ['2026-11-21T00:00:00+01:00[Europe/Berlin]', '2026-11-21T00:00:00Z', 'T00Z', 'T0000Z']],
    ['other encodings', ['Europe/Bérlin', 'Europe／Berlin', 'Eu\0rope', '\ud800']],
    ['very long text', ['A'.repeat(10_000), `Europe/${'a'.repeat(100)}`]],
  ])('[D1.10] %s: no zone', (_, names) => {
    for (const name of names) expect(isZone(name), name.slice(0, 80)).toBe(false)
  })

  test('[D1.10] abbreviations that only some runtimes know are not zones', () => {
    for (const name of ['PST', 'IST', 'ACT', 'SystemV/PST8', 'CEST']) expect(isZone(name), name).toBe(false)
  })

  test('[D1.10] every accepted zone works in date arithmetic', () => {
    const word = fc.constantFrom(
      'Etc',
      'GMT',
      '+',
      '-',
      '1',
      '14',
      'UTC',
      'EST',
      'PST',
      '/',
      'Asia',
      'Tokyo',
      'T',
      'Z',
      '00',
    )
    const name = fc.oneof(
      fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join('')),
      anyText(20),
      fc.stringMatching(/^[A-Z]{2,5}[0-9]{0,2}[A-Z]{0,3}$/),
    )
    fc.assert(
      fc.property(name, (text) => {
        if (isZone(text)) expect(firstInstant('2026-11-21', text)).toBeGreaterThan(0)
      }),
      { numRuns: 3_000 },
    )
  })
})

describe('firstInstant', () => {
  const dateOf = (ms: number, name: string) =>
    Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(name).toPlainDate().toString()

  test('[D3.3] the first instant of a date shows that date, or the next where the zone skips it', () => {
    fc.assert(
      fc.property(dateBetween('1850-01-01', '2100-01-01'), zone, (date, name) => {
        const first = firstInstant(date, name)
        expect(dateOf(first, name) >= date).toBe(true)
        expect(dateOf(first - 1, name) < date).toBe(true)
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D3.3] it is midnight, except where midnight is skipped', () => {
    fc.assert(
      fc.property(dateBetween('1990-01-01', '2035-01-01'), zone, (date, name) => {
        const first = Temporal.Instant.fromEpochMilliseconds(firstInstant(date, name)).toZonedDateTimeISO(name)
        if (first.toPlainTime().toString() === '00:00:00' && first.toPlainDate().toString() === date) return
        const before = first.subtract({ nanoseconds: 1 })
        expect(first.offsetNanoseconds).toBeGreaterThan(before.offsetNanoseconds)
      }),
      { numRuns: 1_000 },
    )
  })

  test('[D3.3] the cache of one zone and date does not answer for another', () => {
    expect(firstInstant('2026-11-21', 'UTC')).toBe(Date.UTC(2026, 10, 21))
    expect(firstInstant('2026-11-21', 'Europe/Berlin')).toBe(Date.UTC(2026, 10, 20, 23))
    expect(firstInstant('2026-11-22', 'UTC')).toBe(Date.UTC(2026, 10, 22))
    expect(firstInstant('2026-11-21', 'UTC')).toBe(Date.UTC(2026, 10, 21))
  })
})
