import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS, instantOf, type LocalDate, type RecordId } from '@saldo/core'
import { expect, test } from 'vitest'
import {
  browserOf,
  editsLeft,
  expiryKeyOf,
  libraries,
  rowsFrom,
  tokenExpiryOf,
  weekStartChanges,
} from './settings-model.ts'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Windows'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'Chrome, Linux',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
    'Safari, iPhone',
  ],
  ['curl/8.1', 'curl/8.1'],
])('«%s» has a name as «%s»', (userAgent, name) => expect(browserOf(userAgent)).toBe(name))

test('an unknown user agent has no browser name', () => {
  expect(browserOf(null)).toBeUndefined()
})

const nowMs = Date.parse('2026-11-20T12:00:00Z')

test('a token expires after its days, or never', () => {
  expect(tokenExpiryOf(30, nowMs)).toBe('2026-12-20T12:00:00.000Z')
  expect(tokenExpiryOf('never', nowMs)).toBeNull()
})

test('a token has expired from that moment on', () => {
  expect(expiryKeyOf(instantOf(nowMs + DAY_MS), nowMs)).toBe('expires')
  expect(expiryKeyOf(instantOf(nowMs), nowMs)).toBe('expired')
})

test('saved edits are none any more, so that later values of other devices show; what is typed meanwhile stays', () => {
  expect(editsLeft({ name: 'Ada', employer: 'Engine' }, { name: 'Ada', employer: 'Engine' })).toEqual({})
  expect(editsLeft({ name: 'Ada L', employer: '' }, { name: 'Ada', employer: '' })).toEqual({ name: 'Ada L' })
})

const row = (effective_from: LocalDate) => ({ effective_from })

test('a new first day of the week applies to the current settings row and all later rows', () => {
  const rows = (['2026-06-01', '2025-01-01', '2027-01-01'] as const).map(row)
  expect(rowsFrom(rows, '2026-11-20')).toEqual([row('2026-06-01'), row('2027-01-01')])
  expect(rowsFrom(rows, '2026-06-01')).toEqual([row('2026-06-01'), row('2027-01-01')])
  expect(rowsFrom(rows.toReversed(), '2026-11-20')).toEqual([row('2027-01-01'), row('2026-06-01')])
  expect(rowsFrom(rows, '2024-01-01')).toEqual(rows)
  expect(rowsFrom([], '2024-01-01')).toEqual([])
})

test('the first day of the week changes in each of these rows', () => {
  const rows = (['2025-01-01', '2026-06-01', '2027-01-01'] as const).map((effective_from) => {
    return { id: `id of ${effective_from}` as RecordId, effective_from }
  })
  expect(weekStartChanges(rows, '2026-11-20', 7)).toEqual([
    { id: 'id of 2026-06-01', patch: { week_starts_on: 7 } },
    { id: 'id of 2027-01-01', patch: { week_starts_on: 7 } },
  ])
})

const root = join(import.meta.dirname, '../../../../..')
const manifest = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as {
    dependencies?: Record<string, string>
    license: string
  }

/** They build the app and are not part of it. */
const builders = ['@vitejs/plugin-react', 'marked', 'vite']

test('the list has every bundled library with its licence', () => {
  const used = ['web', 'client', 'core'].flatMap((name) => Object.keys(manifest(`packages/${name}`).dependencies ?? {}))
  const others = [...new Set(used)].filter((name) => !name.startsWith('@saldo/') && !builders.includes(name)).sort()
  expect(libraries).toEqual(others.map((name) => ({ name, licence: manifest(`node_modules/${name}`).license })))
})
