import { type ExportedAccount, type SheetRequest, sheetOf } from '@saldo/client/export'
import { aSettingsRow, aWork } from '@saldo/client/testing'
import { buildTimeline, computeDay, datesIn, type Entry, type LocalDate, type UserNumber } from '@saldo/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { removeTraces } from '../../../context/remembered-user.ts'
import {
  changedPrints,
  type PrintedSheet,
  printedSheets,
  printsIn,
  rangeProblem,
  rememberPrint,
} from './sheet-model.ts'

test('a sheet has 1 to 366 days', () => {
  expect(rangeProblem({ from: '2026-11-20', to: '2026-11-20' })).toBeUndefined()
  expect(rangeProblem({ from: '2026-11-20', to: '2026-11-19' })).toBe('order')
  expect(rangeProblem({ from: '2024-01-01', to: '2024-12-31' })).toBeUndefined()
  expect(rangeProblem({ from: '2024-01-01', to: '2025-01-01' })).toBe('length')
})

const [ADA, BOB] = [7, 17] as UserNumber[] as [UserNumber, UserNumber]
const timeline = buildTimeline([aSettingsRow({ effective_from: '2026-10-01' })])
const profile = { name: 'Ada', personnel_number: '', employer: '' }
const at = (time: string) => Date.parse(`2026-10-${time}:00+02:00`)
const work = aWork(at('20T08:00'), at('20T10:00'), { note: 'gears' })

beforeEach(() => {
  const stored: Record<string, string> = {}
  const storage = {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(stored, { [key]: value }),
    removeItem: (key: string) => delete stored[key],
  }
  vi.stubGlobal('localStorage', new Proxy(stored, { get: (_, key: keyof typeof storage) => storage[key] }))
})
afterEach(() => void vi.unstubAllGlobals())

function accountOf(entries: readonly Entry[], today: LocalDate): ExportedAccount {
  const days = [...datesIn({ from: '2026-10-01', to: today })].slice(0, -1).map((date) => {
    return { date, state: 'open' as const, closed: null, forecast: computeDay(entries, timeline, date) }
  })
  return { timeline, entries, days, closedWeeks: [], adjustments: [], today }
}

function print(user: UserNumber, account: ExportedAccount, changed: Partial<SheetRequest> = {}) {
  const range = { from: '2026-10-01', to: '2026-10-31' } as const
  const request = {
    range,
    countedTo: '2026-10-24' as LocalDate,
    profile,
    withProjects: false,
    withNotes: false,
    withHints: false,
  }
  rememberPrint(user, sheetOf(account, { ...request, ...changed }), 42, at('25T12:00'))
}

test('[D13.6] a month is marked when its sheet would be another with the same choices, and only then', () => {
  print(ADA, accountOf([work], '2026-10-25'))
  const changedIn = (entries: readonly Entry[], today: LocalDate = '2026-11-20') =>
    Object.keys(changedPrints(accountOf(entries, today), printedSheets(ADA)))
  expect(changedIn([work])).toEqual([])
  expect(changedIn([{ ...work, note: 'not printed' }])).toEqual([])
  // Days that did not count when the sheet was printed.
  expect(changedIn([work, aWork(at('24T22:00') + 7_200_000, at('24T23:00') + 7_200_000)])).toEqual([])
  expect(changedIn([work, aWork(at('24T22:00'), at('24T23:00'))])).toEqual(['2026-10-01'])
  expect(changedIn([])).toEqual(['2026-10-01'])
  expect(printedSheets(ADA)).toMatchObject({ '2026-10-01': { version: 42, printedAtMs: at('25T12:00') } })
})

test('[D13.6] prints with notes are marked when a note changes', () => {
  print(ADA, accountOf([work], '2026-10-25'), { withNotes: true })
  const later = accountOf([{ ...work, note: 'wheels' }], '2026-11-20')
  expect(Object.keys(changedPrints(later, printedSheets(ADA)))).toEqual(['2026-10-01'])
})

test('[D13.6] only whole months are remembered, each user has their own, and the last print counts', () => {
  const account = accountOf([work], '2026-10-25')
  for (const [from, to] of [
    ['2026-10-01', '2026-10-30'],
    ['2026-10-02', '2026-10-31'],
    ['2026-10-01', '2026-11-30'],
    ['2026-10-10', '2026-11-09'],
  ] as const) {
    print(ADA, account, { range: { from, to } })
  }
  expect(printedSheets(ADA)).toEqual({})
  print(BOB, accountOf([], '2026-10-25'))
  print(BOB, account)
  expect(changedPrints(account, printedSheets(BOB))).toEqual({})
  expect(printedSheets(ADA)).toEqual({})
  removeTraces(ADA)
  expect(Object.keys(printedSheets(BOB))).toHaveLength(1)
  removeTraces(BOB)
  expect(printedSheets(BOB)).toEqual({})
})

test('[D13.6] the print of a month leaves that of another as it is', () => {
  print(ADA, accountOf([work], '2026-10-25'))
  print(ADA, accountOf([work], '2026-10-25'), { range: { from: '2026-09-01', to: '2026-09-30' } })
  expect(Object.keys(printedSheets(ADA))).toEqual(['2026-10-01', '2026-09-01'])
})

test('the prints of a year are those of its months', () => {
  const print = { version: 1 } as PrintedSheet
  const printed = { '2025-12-01': print, '2026-01-01': print, '2026-12-01': print, '2027-01-01': print }
  const months = Object.keys(printsIn(printed, { from: '2026-01-01', to: '2026-12-31' }))
  expect(months).toEqual(['2026-01-01', '2026-12-01'])
  expect(Object.keys(printsIn(printed, { from: '2026-01-01', to: '2026-12-01' }))).toEqual(months)
})
