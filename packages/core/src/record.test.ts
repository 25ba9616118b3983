import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyJson, anyText, storableJson, storableText, zone } from '../test/arbitraries.ts'
import { readFixture } from '../test/fixtures.ts'
import { runsOf } from '../test/tier.ts'
import { adjustmentKinds } from './adjustment.ts'
import { absenceKinds, timedEntryKinds } from './choices.ts'
import { isTimed } from './entry.ts'
import { findUnstorable, type Json, type JsonObject, jsonEqual } from './json.ts'
import { contentOf, MAX_RECORD_BYTES, parseContent, recordSchemas } from './record.ts'
import { isRecordKind, isWritableKind, recordKinds, type WritableKind, writableKinds } from './record-kinds.ts'
import { FIRST_EFFECTIVE_DATE, MAX_LIMIT_MS } from './settings.ts'
import { check } from './validation.ts'
import { DAY_MS } from './values.ts'

const { valid, invalid } = readFixture<{
  valid: { name: string; kind: WritableKind; input: JsonObject; canonical: JsonObject }[]
  invalid: { name: string; kind: WritableKind; input: unknown; pointers: string[] }[]
}>('records')

const stamps = {
  id: '00000000-0000-4000-8000-000000000001',
  created_at: '2026-11-21T08:30:00.000Z',
  updated_at: '2026-11-21T08:30:00.001Z',
  version: 17,
}

const work = { kind: 'work', started_at: '2026-11-21T08:30:00Z' }
const berlin = { effective_from: '2026-01-01', time_zone: 'Europe/Berlin', target_ms: [0, 0, 0, 0, 0, 0, 0] }
const payout = { effective_date: '2026-11-30', delta_ms: -1, kind: 'payout', reason: 'x' }

function pointersOf(kind: WritableKind, input: unknown, pointer = ''): string[] {
  const parsed = parseContent(kind, input, pointer)
  return parsed.ok ? [] : parsed.errors.map((error) => error.pointer)
}

const instantText = fc
  .tuple(fc.integer({ min: 0, max: 4e12 }), fc.constantFrom('Z', '+02:00', '-09:30', '.5Z', '.123456+00:00'))
  .map(([ms, tail]) => new Date(ms).toISOString().slice(0, 19) + tail)
const tags = fc.array(
  fc.oneof(
    storableText,
    storableText.map((tag) => ` ${tag}\t`),
    fc.constantFrom('a', ' a', ''),
  ),
  {
    maxLength: 6,
  },
)
const plain = {
  note: storableText,
  tags,
  project: fc.option(storableText),
  source: fc.option(storableText),
  time_zone: fc.option(zone),
}

const timedInput = fc
  .record(
    {
      kind: fc.constantFrom(...timedEntryKinds),
      started_at: instantText,
      lengthMs: fc.option(fc.integer({ min: DAY_MS, max: 29 * DAY_MS })),
      counts: fc.boolean(),
      ...plain,
    },
    { requiredKeys: ['kind', 'started_at'] },
  )
  .map(({ lengthMs, ...entry }) => {
    if (lengthMs === undefined) return entry
    return { ...entry, ended_at: lengthMs && new Date(Date.parse(entry.started_at) + lengthMs).toISOString() }
  })
const dayInput = fc
  .record(
    {
      kind: fc.constantFrom(...absenceKinds),
      date: fc.constantFrom('2026-11-21', '2024-02-29'),
      size: fc.oneof(
        fc.record({ day_share: fc.double({ min: 0, minExcluded: true, max: 1, noNaN: true }) }),
        fc.record({ amount_ms: fc.integer({ min: 1, max: DAY_MS }) }),
      ),
      ...plain,
    },
    { requiredKeys: ['kind', 'date'] },
  )
  .map(({ size, ...entry }) => ({ ...entry, ...size }))
const ms = fc.nat(86_400_000)
const settingsInput = fc.record(
  {
    effective_from: fc.constantFrom('1900-01-01', '2026-11-21'),
    time_zone: zone,
    target_ms: fc.constantFrom(7, 14, 56).chain((length) => fc.array(ms, { minLength: length, maxLength: length })),
    break_policy: fc.option(
      fc.record(
        { rules: fc.array(fc.record({ worked_above_ms: ms, required_ms: ms }), { maxLength: 3 }), min_piece_ms: ms },
        { requiredKeys: ['rules'] },
      ),
    ),
    auto_close: fc.option(fc.record({ day_after_ms: ms, week_after_days: fc.nat(366) })),
    week_starts_on: fc.integer({ min: 1, max: 7 }),
    hints: fc.option(fc.constantFrom('de', 'at', 'ch')),
    core_time: fc.option(fc.constant({ from: '10:00', to: '15:00' })),
    frame: fc.option(fc.constant({ from: '00:00', to: '23:59' })),
    holidays: fc.option(fc.constantFrom({ country: 'CH', state: 'ZH' }, { country: 'DE', partial: { '12-24': 0.5 } })),
    vacation: fc.option(
      fc.record({ days_per_year: fc.constantFrom(0, 27.5, 366), carry_over_until: fc.constant(null) }),
    ),
    limits: fc.option(
      fc.record(
        {
          green_ms: fc.nat(1_000),
          yellow_ms: fc.integer({ min: 1_000, max: MAX_LIMIT_MS }),
          period_ends: fc.subarray(['12-31', '02-29']),
          keep_at_most_ms: fc.option(ms),
        },
        { requiredKeys: ['green_ms', 'yellow_ms'] },
      ),
    ),
    note: storableText,
  },
  { requiredKeys: ['effective_from', 'time_zone', 'target_ms'] },
)
const adjustmentInput = fc
  .record({
    effective_date: fc.constantFrom('2026-11-21', '0001-01-01'),
    delta_ms: fc.maxSafeInteger(),
    kind: fc.constantFrom(...adjustmentKinds),
    reason: storableText.map((text) => `x${text}`),
  })
  .filter(({ delta_ms, kind }) => delta_ms !== 0 || kind === 'expiry')

/** Fields that no version of this program knows. */
const unknownFields = fc.dictionary(
  fc.constantFrom('mood', 'Mood', 'x-1', '', 'toString', 'valueOf', '0', 'é', 'deleted_at', 'week'),
  storableJson,
  { maxKeys: 4 },
)

const known: fc.Arbitrary<{ kind: WritableKind; input: JsonObject }> = fc.oneof(
  fc.oneof(timedInput, dayInput).map((input) => ({ kind: 'entries' as const, input: { ...input } })),
  settingsInput.map((input) => ({ kind: 'settings_history' as const, input: { ...input } as JsonObject })),
  adjustmentInput.map((input) => ({ kind: 'balance_adjustments' as const, input: { ...input } })),
)
const sensible = fc
  .tuple(known, unknownFields)
  .map(([{ kind, input }, unknown]) => ({ kind, input: { ...unknown, ...input }, unknown }))

/** Records of which something was replaced, dropped or added: most are wrong, and some are not. */
const almost = fc
  .tuple(sensible, fc.nat(), fc.oneof(anyJson, fc.constant(undefined)), anyText(3))
  .map(([{ kind, input }, which, value, name]) => {
    const keys = [...Object.keys(input), name]
    const changed = { ...input, [keys[which % keys.length] as string]: value }
    return { kind, input: JSON.parse(JSON.stringify(changed)) as unknown }
  })

describe('kinds', () => {
  test('[R1.1] there are five kinds of record', () => {
    expect([...recordKinds].sort()).toStrictEqual([
      'balance_adjustments',
      'closed_days',
      'closed_weeks',
      'entries',
      'settings_history',
    ])
    expect(Object.keys(recordSchemas).sort()).toStrictEqual([...recordKinds].sort())
  })

  test('[R1.2] [R1.3] clients write entries, balance adjustments and settings history, not closings', () => {
    expect([...writableKinds].sort()).toStrictEqual(['balance_adjustments', 'entries', 'settings_history'])
    for (const kind of recordKinds) expect(isWritableKind(kind)).toBe(!kind.startsWith('closed'))
  })

  test('[R1.1] nothing else is a kind', () => {
    for (const kind of ['', 'entry', 'ENTRIES', 'constructor', '__proto__', null, undefined, 0, ['entries'], {}]) {
      expect([isRecordKind(kind), isWritableKind(kind)], String(kind)).toStrictEqual([false, false])
    }
  })

  test('[D2.8] work and break are timed entries, and all other kinds are day entries', () => {
    for (const kind of [...timedEntryKinds, ...absenceKinds]) {
      const parsed = parseContent('entries', { kind, started_at: work.started_at, date: '2026-11-21' })
      expect(parsed.ok && isTimed(parsed.value), kind).toBe(kind === 'work' || kind === 'break')
    }
  })
})

describe('parseContent of settings', () => {
  const pointersWith = (more: object) =>
    pointersOf('settings_history', {
      effective_from: '2026-01-01',
      time_zone: 'UTC',
      target_ms: Array(7).fill(0),
      ...more,
    })

  test('[D2.17] hours are those of one to eight whole weeks', () => {
    const withHours = (length: number) => pointersWith({ target_ms: Array(length).fill(0) })
    for (const length of [7, 14, 56]) expect(withHours(length), String(length)).toEqual([])
    for (const length of [0, 6, 8, 13, 57, 63]) expect(withHours(length), String(length)).toEqual(['/target_ms'])
  })

  test('[D2.33] hints have a country that is known, core time and frame an end after their start', () => {
    const span = { from: '08:30', to: '08:31' }
    expect(pointersWith({ hints: 'ch', core_time: span, frame: { from: '00:00', to: '23:59' } })).toEqual([])
    expect(pointersWith({ hints: null, core_time: null, frame: null })).toEqual([])
    expect(pointersWith({ hints: 'fr' })).toEqual(['/hints'])
    for (const name of ['core_time', 'frame']) {
      expect(pointersWith({ [name]: { from: '08:30', to: '08:30' } })).toEqual([`/${name}/to`])
      expect(pointersWith({ [name]: { from: '08:60', to: '09:00' } })).toEqual([`/${name}/from`])
      expect(pointersWith({ [name]: { from: '08:30' } })).toEqual([`/${name}/to`])
    }
  })
})

describe('parseContent of public holidays', () => {
  const pointersWith = (holidays: Json) => pointersOf('settings_history', { ...berlin, holidays })

  test('[D16.1] a rule has the code of a country, and codes of a state and a region or null', () => {
    expect(pointersWith(null)).toEqual([])
    expect(pointersWith({ country: 'DE', state: 'BY', region: null })).toEqual([])
    expect(pointersWith({ country: 'CK', state: 'Aitutaki' })).toEqual([])
    expect(pointersWith({})).toEqual(['/holidays/country'])
    expect(pointersWith({ country: 'DEU', state: 5, region: 'ä' })).toHaveLength(3)
  })

  test('[D16.9] partial has at most 50 days, each of some year, with shares from 0 to 1', () => {
    const days = (count: number) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `${String(1 + Math.floor(index / 28)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}`,
          1,
        ]),
      )
    expect(pointersWith({ country: 'DE', partial: days(50) })).toEqual([])
    expect(pointersWith({ country: 'DE', partial: days(51) })).toEqual(['/holidays/partial'])
    expect(pointersWith({ country: 'DE', partial: { '02-29': 0, '12-31': 1 } })).toEqual([])
    for (const day of ['02-30', '13-01', '1-1', '2026-01-01', '']) {
      expect(pointersWith({ country: 'DE', partial: { [day]: 1 } }), day).toEqual(['/holidays/partial'])
    }
  })
})

describe('parseContent, the vectors', () => {
  test.each(valid)('[D2.13] $kind: $name', ({ kind, input, canonical }) => {
    const before = structuredClone(input)
    expect(parseContent(kind, input)).toStrictEqual({ ok: true, value: canonical })
    expect(input).toStrictEqual(before)
  })

  test.each(invalid)('[D1.15] $kind: $name is rejected at $pointers, in plain words', ({ kind, input, pointers }) => {
    expect(pointersOf(kind, input).sort()).toStrictEqual([...pointers].sort())
    expect(pointersOf(kind, input, '/record').sort()).toStrictEqual(pointers.map((at) => `/record${at}`).sort())
    const parsed = parseContent(kind, input)
    for (const { detail } of parsed.ok ? [] : parsed.errors) {
      expect(detail).toMatch(/^(must |is missing$)/)
      expect(detail).not.toMatch(/Invalid|Expected|received|undefined/)
    }
  })

  test.each(valid)(
    '[D1.17] [D2.1] $kind: $name is a whole record together with the fields of the service',
    ({ kind, canonical }) => {
      const record = { ...stamps, ...canonical }
      expect(check(recordSchemas[kind], record)).toStrictEqual({ ok: true, value: record })
    },
  )
})

describe('parseContent, the kind of an entry', () => {
  const kinds =
    'work, break, vacation, sick, public_holiday, time_off_in_lieu, unpaid, paid_other, vacation_grant, request'

  test.each([undefined, null, 0, true, '', 'WORK', 'constructor', 'toString', '__proto__', ['work'], { kind: 'work' }])(
    '[D1.15] %j is not a kind, and that is the only error',
    (kind) => {
      const errors = [{ pointer: '/record/kind', detail: `must be one of ${kinds}` }]
      for (const rest of [{}, { note: 5 }, { ...work, ended_at: 'never' }, { date: '2026-11-21', day_share: 2 }]) {
        expect(parseContent('entries', { ...rest, kind }, '/record')).toStrictEqual({ ok: false, errors })
      }
      const { kind: _, ...kindless } = work
      expect(parseContent('entries', kindless, '/record')).toStrictEqual({ ok: false, errors })
    },
  )

  test('[D2.8] decides which fields are known', () => {
    const told = (kind: string) => {
      const parsed = parseContent('entries', { kind, ended_at: 5, day_share: 2, note: null })
      return parsed.ok ? [] : parsed.errors
    }
    const note = { pointer: '/note', detail: 'must be text of at most 5000 characters' }
    for (const kind of timedEntryKinds) {
      expect(told(kind), kind).toStrictEqual([
        { pointer: '/started_at', detail: 'is missing' },
        { pointer: '/ended_at', detail: expect.stringMatching(/^must be an RFC 3339 date-time/) },
        note,
      ])
    }
    for (const kind of absenceKinds) {
      expect(told(kind), kind).toStrictEqual([
        { pointer: '/date', detail: 'is missing' },
        { pointer: '/day_share', detail: 'must be a number above 0 and at most 1' },
        note,
      ])
    }
  })
})

describe('parseContent, limits', () => {
  test('[D2.28] a timed entry lasts at most 31 days, to the millisecond', () => {
    const started_at = '2026-03-01T00:00:00+01:00'
    const until = (ended_at: string) => parseContent('entries', { kind: 'break', started_at, ended_at })
    expect(until('2026-03-31T23:00:00Z')).toMatchObject({ ok: true })
    expect(until('2026-04-01T01:00:00.001+02:00')).toStrictEqual({
      ok: false,
      errors: [{ pointer: '/ended_at', detail: 'must be at most 31 days after started_at' }],
    })
    expect(pointersOf('entries', { ...work, started_at: '0001-01-01T00:00:00Z' })).toStrictEqual([])
  })

  test('[D2.38] work counts unless it says that it does not, and no other kind has the field', () => {
    const countsOf = (kind: string, said: object) => {
      const parsed = parseContent('entries', { kind, started_at: '2026-11-21T08:30:00Z', date: '2026-11-21', ...said })
      return parsed.ok ? parsed.value.counts : parsed.errors.map(({ pointer }) => pointer)
    }
    expect(countsOf('work', {})).toBe(true)
    for (const counts of [true, false]) expect(countsOf('work', { counts })).toBe(counts)
    for (const counts of [null, 0, 'no']) expect(countsOf('work', { counts })).toEqual(['/counts'])
    for (const kind of ['break', ...absenceKinds]) expect(countsOf(kind, {}), kind).toBeUndefined()
  })

  test('[D2.34] an absence has a share or an amount, never both and never neither', () => {
    const share = fc.constantFrom(undefined, null, 0, 0.5, 1, 2)
    const amount = fc.constantFrom(undefined, null, 0, 1, DAY_MS, DAY_MS + 1)
    fc.assert(
      fc.property(share, amount, (day_share, amount_ms) => {
        const input = { ...(day_share !== undefined && { day_share }), ...(amount_ms !== undefined && { amount_ms }) }
        const parsed = parseContent('entries', { kind: 'sick', date: '2026-11-21', ...input })
        const isShare = amount_ms == null && (day_share === undefined || day_share === 0.5 || day_share === 1)
        const isAmount = day_share == null && (amount_ms === 1 || amount_ms === DAY_MS)
        expect(parsed.ok).toBe(isShare || isAmount)
        const size = isShare ? { day_share: day_share ?? 1, amount_ms: null } : { day_share: null, amount_ms }
        if (parsed.ok) expect(parsed.value).toMatchObject(size)
      }),
    )
  })

  const withNote = (note: string) => ({ ...work, note })

  test('[D2.11] a note has at most 5,000 code points', () => {
    for (const character of ['a', 'ä', '€', '😀']) {
      expect(pointersOf('entries', withNote(character.repeat(5_000))), character).toStrictEqual([])
      expect(pointersOf('entries', withNote(character.repeat(5_001))), character).toStrictEqual(['/note'])
      expect(pointersOf('settings_history', { ...berlin, note: character.repeat(5_001) })).toStrictEqual(['/note'])
    }
    expect(pointersOf('entries', withNote(`${'a'.repeat(4_999)}😀`))).toStrictEqual([])
    expect(pointersOf('entries', withNote(`${'a'.repeat(5_000)}😀`))).toStrictEqual(['/note'])
  })

  test('[D2.12] a record has at most 50 tags, counted after trimming and removing duplicates', () => {
    const tagged = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index}`)
    expect(pointersOf('entries', { ...work, tags: tagged(50) })).toStrictEqual([])
    expect(pointersOf('entries', { ...work, tags: tagged(51) })).toStrictEqual(['/tags'])
    expect(pointersOf('entries', { ...work, tags: [...tagged(50), ' tag 7 ', '', '  '] })).toStrictEqual([])
  })

  test('[D2.11] a project has at most 200 characters, or is null', () => {
    expect(pointersOf('entries', { ...work, project: '😀'.repeat(200) })).toStrictEqual([])
    expect(pointersOf('entries', { ...work, project: 'a'.repeat(201) })).toStrictEqual(['/project'])
    expect(pointersOf('entries', { ...work, project: null })).toStrictEqual([])
  })

  test('[D2.21] a reason has 1 to 500 characters', () => {
    expect(pointersOf('balance_adjustments', { ...payout, reason: '€'.repeat(500) })).toStrictEqual([])
    expect(pointersOf('balance_adjustments', { ...payout, reason: '€'.repeat(501) })).toStrictEqual(['/reason'])
  })

  test('[D2.14] an account begins in 1900 at the earliest', () => {
    expect(pointersOf('settings_history', { ...berlin, effective_from: FIRST_EFFECTIVE_DATE })).toStrictEqual([])
    expect(pointersOf('settings_history', { ...berlin, effective_from: '1899-12-31' })).toStrictEqual([
      '/effective_from',
    ])
  })

  test('[D1.3] a record measures at most 64 KiB as JSON in UTF-8', () => {
    for (const character of ['a', 'ä', '€', '😀', '"', '\n']) {
      const measured = (fill: string) => {
        const parsed = parseContent('entries', { ...work, fill })
        return parsed.ok ? Buffer.byteLength(JSON.stringify(parsed.value)) : undefined
      }
      const room = MAX_RECORD_BYTES - (measured('') ?? 0)
      const each = Buffer.byteLength(JSON.stringify(character)) - 2
      const fill = character.repeat(Math.floor(room / each)) + 'a'.repeat(room % each)
      expect(measured(fill)).toBe(64 * 1024)
      expect(measured(`${fill}a`)).toBeUndefined()
      expect(pointersOf('entries', { ...work, fill: `${fill}a` }, '/record')).toStrictEqual(['/record'])
    }
  })

  test('[D1.3] [D2.12] repeated tags and spaces around them do not count in the size of a record', () => {
    const tag = 'x'.repeat(150)
    const padded = parseContent('entries', { ...work, tags: Array.from({ length: 450 }, () => ` ${tag} `) })
    expect(padded).toMatchObject({ ok: true, value: { tags: [tag] } })
  })

  test('[D1.15] of many errors the first 20 are reported', () => {
    const tags = Array.from({ length: 1_000 }, () => 1)
    expect(pointersOf('entries', { ...work, tags })).toHaveLength(20)
  })
})

describe('contentOf', () => {
  test('[D2.3] the content has all fields but those that the service sets, unknown ones included', () => {
    const content = { kind: 'nap', minutes: 20, later: { a: [1] } }
    const kept = { id: 'i', created_at: 'c', updated_at: 'u', version: 1 }
    expect(contentOf({ ...kept, ...content })).toStrictEqual(content)
  })
})

describe('parseContent, its properties', () => {
  test('[D2.13] reading canonical content again changes nothing', () => {
    fc.assert(
      fc.property(sensible, ({ kind, input }) => {
        const first = parseContent(kind, input)
        expect(first.ok).toBe(true)
        if (!first.ok) return
        expect(parseContent(kind, first.value)).toStrictEqual(first)
        expect(parseContent(kind, JSON.parse(JSON.stringify(first.value)))).toStrictEqual(first)
        expect(parseContent(kind, { ...first.value, ...stamps })).toStrictEqual(first)
      }),
      { numRuns: runsOf(200, 800) },
    )
  })

  test('[D1.2] unknown fields are kept exactly, and every known field is present', () => {
    fc.assert(
      fc.property(sensible, ({ kind, input, unknown }) => {
        const parsed = parseContent(kind, input)
        if (!parsed.ok) throw new Error(JSON.stringify(parsed.errors))
        const value = parsed.value as JsonObject
        for (const [key, field] of Object.entries(unknown)) {
          expect(Object.hasOwn(value, key) && jsonEqual(value[key], field), key).toBe(true)
        }
        for (const key of Object.keys(input)) expect(Object.hasOwn(value, key), key).toBe(true)
        for (const field of Object.values(value)) expect(field).toBeDefined()
      }),
      { numRuns: runsOf(100, 500) },
    )
  })

  test('[D2.3] fields of the service are never content', () => {
    fc.assert(
      fc.property(sensible, anyJson, anyJson, ({ kind, input }, a, b) => {
        const parsed = parseContent(kind, { ...input, id: a, version: b, created_at: a, updated_at: b })
        expect(parsed).toStrictEqual(parseContent(kind, input))
      }),
      { numRuns: 200 },
    )
  })

  test('[D1.15] any JSON is read or rejected with pointers into it, without throwing', () => {
    const wild = fc.record({ kind: fc.constantFrom(...writableKinds), input: anyJson })
    fc.assert(
      fc.property(fc.oneof(almost, wild), ({ kind, input }) => {
        const parsed = parseContent(kind, input)
        if (parsed.ok) {
          expect(findUnstorable(parsed.value as Json)).toBeUndefined()
          expect(parseContent(kind, parsed.value)).toStrictEqual(parsed)
          return
        }
        expect(parsed.errors.length).toBeGreaterThan(0)
        for (const { pointer, detail } of parsed.errors) {
          expect(detail).not.toBe('')
          expect(leadsSomewhere(input, pointer), pointer).toBe(true)
        }
      }),
      { numRuns: runsOf(1_000, 4_000) },
    )
  })
})

/** True if a pointer leads to a value, or to a missing field of an existing object. */
function leadsSomewhere(root: unknown, pointer: string): boolean {
  if (pointer === '') return true
  if (!pointer.startsWith('/')) return false
  const tokens = pointer.slice(1).split('/')
  let at = root
  for (const [index, token] of tokens.entries()) {
    if (typeof at !== 'object' || at === null) return false
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(at, key)) return index === tokens.length - 1
    at = (at as Record<string, unknown>)[key]
  }
  return true
}
