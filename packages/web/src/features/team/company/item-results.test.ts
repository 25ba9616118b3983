import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ItemResult, itemRefusals } from '@saldo/core'
import { expect, test } from 'vitest'
import { WordedError } from '../../../ui/feedback/failure.ts'
import { refusalKey, refuseRejected } from './item-results.ts'

test('[D24.12] each reason for which an item is rejected has a text in each language', () => {
  for (const language of ['en', 'de']) {
    const strings = JSON.parse(readFileSync(join(import.meta.dirname, `../${language}.json`), 'utf8'))
    expect(Object.keys(strings.team.refusal).sort()).toEqual(itemRefusals.toSorted())
  }
})

test('[D24.12] a form that sends one item fails with the reason in the words of the app', () => {
  const rejected: ItemResult = { outcome: 'rejected', id: null, refusal: 'cycle', detail: 'A group cannot be there.' }
  expect(refusalKey(rejected)).toBe('team.refusal.cycle')
  expect(() => refuseRejected([{ outcome: 'added', id: 1 }, rejected])).toThrow(WordedError)
  expect(() => refuseRejected([{ outcome: 'unchanged', id: 1 }])).not.toThrow()
})
