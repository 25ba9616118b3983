import { HOUR_MS, MINUTE_MS } from '@saldo/core'
import { describe, expect, test } from 'vitest'
import type { AccountRecords } from '../queries/forecast.ts'
import { anAdjustment, aSettingsRow, aWork } from '../testing.ts'
import type { DraftedImport, ImportDraft } from './draft.ts'
import { previewImport } from './preview.ts'

const nowMs = Date.parse('2026-11-20T12:00:00Z')
const row = aSettingsRow({ effective_from: '2026-11-16' })
const empty: AccountRecords = {
  settings: [row],
  entries: [],
  adjustments: [],
  closedDays: [],
  closedWeeks: [],
  affectedRanges: [],
}

const at = (time: string) => Date.parse(`2026-11-${time}:00Z`)
const draftOf = (number: number, kind: ImportDraft['kind'], record: { id: ImportDraft['id'] }): ImportDraft => {
  const { id, ...content } = record
  return { row: number, kind, id, content }
}
const work = (number: number, from: string, to: string, more: object = {}) =>
  draftOf(number, 'entries', { ...aWork(at(from), at(to)), ...more })
const drafted = (drafts: ImportDraft[], more: Partial<DraftedImport> = {}): DraftedImport => ({
  batch: 'csv-1',
  rowCount: drafts.length,
  drafts,
  skipped: [],
  oddities: [],
  texts: new Map(),
  ...more,
})
const preview = (drafts: ImportDraft[], account: Partial<AccountRecords> = {}, more: Partial<DraftedImport> = {}) =>
  previewImport({ account: { ...empty, ...account }, nowMs }, drafted(drafts, more))

describe('rows to check', () => {
  test('[D11.1] work that begins after now is still to come', () => {
    const rows = [work(2, '20T12:00', '20T13:00'), work(3, '20T12:01', '20T13:00'), work(4, '21T12:00', '21T13:00')]
    expect(preview(rows).oddities).toEqual([
      { row: 3, oddity: 'in_the_future' },
      { row: 4, oddity: 'in_the_future' },
    ])
    // Saldo's own export may have such entries.
    expect(preview(rows, {}, { batch: null }).oddities).toEqual([])
  })

  test('[D11.1] a row with two entries is named once', () => {
    const rest = work(3, '21T09:00', '21T10:00', { kind: 'break' })
    expect(preview([work(3, '21T08:00', '21T12:00'), rest]).oddities).toEqual([{ row: 3, oddity: 'in_the_future' }])
  })

  test('[D11.11] rows that overlap work of the account are named in order; rows that touch it are not', () => {
    const tea = aWork(at('18T09:40'), at('18T11:00'), { kind: 'break' })
    const entries = [aWork(at('18T09:00'), at('18T10:00')), aWork(at('18T12:00'), null), tea]
    const rows = [
      work(2, '18T09:30', '18T09:40'),
      work(3, '18T08:00', '18T09:00'),
      work(4, '18T08:00', '18T09:01'),
      work(5, '18T10:00', '18T13:00'),
      work(6, '18T09:10', '18T09:20', { kind: 'break' }),
    ]
    const { oddities, covered_ms, overlapping_ms } = preview(rows.toReversed(), { entries })
    expect(oddities.map(({ row: number, oddity }) => [number, oddity])).toEqual([
      [2, 'overlaps_account'],
      [4, 'overlaps_account'],
    ])
    expect([covered_ms, overlapping_ms]).toEqual([4 * HOUR_MS + 11 * MINUTE_MS, 11 * MINUTE_MS])
  })

  test('oddities of rows that are imported already are not named', () => {
    const known = aWork(at('18T09:00'), at('18T10:00'))
    const oddities = [2, 3].map((number) => ({ row: number, oddity: 'duration_differs' as const }))
    const rows = [draftOf(2, 'entries', known), work(3, '18T12:00', '18T13:00')]
    expect(preview(rows, { entries: [known] }, { oddities }).oddities).toEqual([oddities[1]])
  })
})

describe('entries that exist already', () => {
  const known = aWork(at('18T09:00'), at('18T10:00'), { import_ref: 'csv:1' })
  const settings = aSettingsRow({ effective_from: '2026-11-16' })
  const adjustment = anAdjustment('2026-11-16', HOUR_MS)

  test('[D11.2] a record under its id, of any kind, and an entry with its import_ref', () => {
    const again = work(4, '18T09:00', '18T10:00', { import_ref: 'csv:1' })
    const rows = [
      draftOf(2, 'settings_history', settings),
      draftOf(3, 'balance_adjustments', adjustment),
      again,
      work(5, '18T11:00', '18T12:00', { import_ref: 'csv:2' }),
    ]
    const account = { entries: [known], settings: [settings], adjustments: [adjustment] }
    const { entries, skipped } = preview(rows, account, { skipped: [{ row: 6, reason: 'no_end' }] })
    expect(entries).toBe(1)
    expect(skipped).toEqual([
      { row: 2, reason: 'already_imported' },
      { row: 3, reason: 'already_imported' },
      { row: 4, reason: 'already_imported' },
      { row: 6, reason: 'no_end' },
    ])
  })

  test('[D11.2] the import_ref of an export of Saldo is that of the account it comes from, and does not count', () => {
    const again = work(4, '18T09:00', '18T10:00', { import_ref: 'csv:1' })
    expect(preview([again], { entries: [known] }, { batch: null }).entries).toBe(1)
  })

  test('entries without an import_ref are not equal for that', () => {
    const none = aWork(at('18T09:00'), at('18T10:00'), { import_ref: null })
    expect(preview([work(2, '19T09:00', '19T10:00')], { entries: [none] }).entries).toBe(1)
  })

  test('[D11.2] a row of which a part is missing is imported, and not named as there', () => {
    const rows = [draftOf(2, 'entries', known), work(2, '18T09:20', '18T09:30', { kind: 'break', import_ref: 'csv:b' })]
    expect(preview(rows, { entries: [known] })).toMatchObject({ entries: 1, skipped: [] })
  })
})

describe('figures', () => {
  test('[D11.7] lengths, days and projects of the added entries; breaks are no work', () => {
    const rows = [
      work(2, '19T08:00', '19T12:00', { project: 'b' }),
      work(3, '18T10:00', '18T12:00', { project: 'a' }),
      work(4, '18T11:00', '18T13:00', { project: 'a' }),
      work(5, '18T10:30', '18T10:45', { kind: 'break' }),
    ]
    expect(preview(rows)).toMatchObject({
      rows: 4,
      entries: 4,
      first: '2026-11-18',
      last: '2026-11-19',
      days: 2,
      worked_ms: 8 * HOUR_MS,
      covered_ms: 6.75 * HOUR_MS,
      overlapping_ms: 0,
      projects: ['a', 'b'],
      account_from: '2026-11-16',
    })
    const { drafts, first, last } = preview(rows.toReversed())
    expect([drafts, first, last]).toEqual([rows.toReversed(), '2026-11-18', '2026-11-19'])
  })

  test('[D11.7] [D11.11] work that does not count adds no length, and overlaps nothing', () => {
    const counted = aWork(at('18T09:00'), at('18T10:00'))
    const idle = work(2, '18T09:00', '18T10:00', { counts: false })
    expect(preview([idle], { entries: [counted] })).toMatchObject({ worked_ms: 0, covered_ms: 0, oddities: [] })
    const known = { entries: [{ ...counted, counts: false } as typeof counted] }
    expect(preview([work(2, '18T09:00', '18T10:00')], known)).toMatchObject({ overlapping_ms: 0, oddities: [] })
  })

  test('[D11.7] settings and adjustments of an export count in the balance, and move its beginning', () => {
    const rows = [
      draftOf(1, 'settings_history', aSettingsRow({ effective_from: '2026-11-12' })),
      draftOf(2, 'balance_adjustments', anAdjustment('2026-11-16', 5 * HOUR_MS)),
    ]
    expect(preview(rows, {}, { batch: null })).toMatchObject({
      settings: 1,
      adjustments: 1,
      entries: 0,
      first: null,
      last: null,
      account_from: '2026-11-12',
      // Monday to Thursday, and two days more.
      balanceBeforeMs: -32 * HOUR_MS,
      balanceAfterMs: -43 * HOUR_MS,
      weeks: [{ week: '2026-W46' }],
    })
    expect(preview([], { settings: [] }).account_from).toBeNull()
  })
})
