import {
  DAY_MS,
  type EpochMs,
  epochMs,
  type Instant,
  instantOf,
  type LocalDate,
  type Profile,
  type RecordId,
  type Settings,
} from '@saldo/core'

/** The first that fits is it: most browsers also claim to be others. */
const browsers: readonly [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: readonly [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** Returns the browser and its system, such as `Firefox, Windows`; the user agent itself if it does not tell them. */
export function browserOf(userAgent: string | null): string | undefined {
  if (userAgent === null || userAgent === '') return undefined
  const named = [browsers, systems].flatMap((known) => known.find(([sign]) => sign.test(userAgent))?.[1] ?? [])
  return named.length > 0 ? named.join(', ') : userAgent
}

/** The validities of a token to choose from, in days. */
export const validities = [30, 90, 365, 'never'] as const
export type Validity = (typeof validities)[number]

/** Returns when a token of a validity expires; null for never. */
export function tokenExpiryOf(validity: Validity, nowMs: EpochMs): Instant | null {
  return validity === 'never' ? null : instantOf(nowMs + validity * DAY_MS)
}

/** Returns which text tells the expiry of a token. */
export function expiryKeyOf(expiresAt: Instant, nowMs: EpochMs): 'expires' | 'expired' {
  return epochMs(expiresAt) > nowMs ? 'expires' : 'expired'
}

/** Returns the edits of a form that are left once some were saved: what was typed since they were sent. */
export function editsLeft(edited: Partial<Profile>, saved: Partial<Profile>): Partial<Profile> {
  return Object.fromEntries(Object.entries(edited).filter(([field, value]) => saved[field as keyof Profile] !== value))
}

/** Returns the changes that let weeks begin on another day from `today` on, in the rows that decide that. */
export function weekStartChanges(
  rows: readonly Pick<Settings, 'id' | 'effective_from'>[],
  today: LocalDate,
  week_starts_on: number,
): { id: RecordId; patch: Pick<Settings, 'week_starts_on'> }[] {
  return rowsFrom(rows, today).map(({ id }) => ({ id, patch: { week_starts_on } }))
}

/** The rows that decide how days from `today` on are shown: the one in force, and those to come. */
export function rowsFrom<Row extends Pick<Settings, 'effective_from'>>(rows: readonly Row[], today: LocalDate): Row[] {
  const past = rows.filter(({ effective_from }) => effective_from <= today).map((row) => row.effective_from)
  const inForce = past.length > 0 ? past.reduce((latest, date) => (date > latest ? date : latest)) : ''
  return rows.filter(({ effective_from }) => effective_from >= inForce)
}

/** The bundled libraries and their licences; a test compares the list with the dependencies. */
export const libraries: readonly { name: string; licence: string }[] = [
  { name: '@iconify-json/tabler', licence: 'MIT' },
  { name: '@mantine/core', licence: 'MIT' },
  { name: '@mantine/hooks', licence: 'MIT' },
  { name: '@mantine/notifications', licence: 'MIT' },
  { name: '@simplewebauthn/browser', licence: 'MIT' },
  { name: 'date-holidays', licence: '(ISC AND CC-BY-3.0)' },
  { name: 'dexie', licence: 'Apache-2.0' },
  { name: 'fflate', licence: 'MIT' },
  { name: 'ical.js', licence: 'MPL-2.0' },
  { name: 'papaparse', licence: 'MIT' },
  { name: 'react', licence: 'MIT' },
  { name: 'react-dom', licence: 'MIT' },
  { name: 'temporal-polyfill', licence: 'MIT' },
  { name: 'uqr', licence: 'MIT' },
  { name: 'uuid', licence: 'MIT' },
  { name: 'valibot', licence: 'MIT' },
  { name: 'workbox-precaching', licence: 'MIT' },
  { name: 'wouter', licence: 'Unlicense' },
  { name: 'write-excel-file', licence: 'MIT' },
]
