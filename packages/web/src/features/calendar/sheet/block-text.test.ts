import { epochMs } from '@saldo/core'
import { expect, test } from 'vitest'
import { formatOf } from '../../../context/format.ts'
import { blockText } from './block-text.ts'

const format = formatOf({ locale: 'en-GB', durations: 'clock', hours: 'auto' })
const zone = 'Europe/Berlin'
const block = { start: epochMs('2026-10-25T00:30:00.000Z'), end: epochMs('2026-10-25T01:30:00.000Z') }

test('both times of a block have their zone on the day of a clock change, and none on other days', () => {
  expect(blockText(block, { zone, hasClockChange: true }, format)).toBe('02:30 CEST–02:30 CET')
  expect(blockText(block, { zone, hasClockChange: false }, format)).toBe('02:30–02:30')
})
