import { expect, test } from 'vitest'
import { draftBytes, parsePayrollPlace, placeToSettle } from './payroll-model.ts'

test('the address of payroll names a month or another part, and nothing else', () => {
  const parse = (part?: string) => parsePayrollPlace(part, '2026-11-28')
  expect(parse()).toEqual({ part: 'files', month: '2026-10' })
  expect(parse('2026-09')).toEqual({ part: 'files', month: '2026-09' })
  expect(parse('mapping')).toEqual({ part: 'mapping' })
  expect([parse('2026-09-4'), parse('2026-13'), parse('files')]).toEqual([undefined, undefined, undefined])
})

test('[D31.2] a draft has the bytes of the chosen encoding', () => {
  expect([...draftBytes('ü€', 'windows-1252')]).toEqual([0xfc, 0x80])
  expect([...draftBytes('ü', 'utf-8')]).toEqual([0xc3, 0xbc])
})

test('[D31.3] each obstacle is settled in one place', () => {
  const places = (['no_mapping', 'not_encodable', 'no_number', 'shared_number', 'not_locked'] as const).map((fault) =>
    placeToSettle({ fault, user_id: null, detail: '' }),
  )
  expect(places).toEqual(['mapping', 'mapping', 'personnel', 'personnel', 'months'])
})
