import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { addressWith, fieldsOf, unreadFields } from './address.ts'

const vectors = readFileSync(join(import.meta.dirname, '../../../../fixtures/nasty-texts.json'), 'utf8')
const nastyTexts = Object.values(JSON.parse(vectors) as Record<string, string[]>).flat()

test('an address has the fields that are filled, and no sign of fields without any', () => {
  expect(addressWith('/search', { words: '', tag: '' })).toBe('/search')
  expect(addressWith('/search', { words: 'a b', tag: '', project: 'x&y' })).toBe('/search#words=a+b&project=x%26y')
})

test('[D8.43] any words stand behind the sign that browsers send to nobody, and are read back as they were', () => {
  for (const words of nastyTexts) {
    const address = new URL(addressWith('/search', { words, tag: words, project: 'x' }), 'https://saldo.example/')
    expect([address.origin, address.pathname, address.search]).toEqual(['https://saldo.example', '/search', ''])
    const fields = fieldsOf(address.hash)
    expect([fields.get('words'), fields.get('tag'), fields.get('project')]).toEqual([words, words, 'x'])
  }
})

test('[D32.1] the fields that a view leaves out are named as they are written', () => {
  const reads = { by: (text: string) => text === 'tag', words: () => true }
  expect(unreadFields(fieldsOf('#by=tag&words=a+b'), reads)).toEqual([])
  expect(unreadFields(fieldsOf('#by=&words='), reads)).toEqual([])
  expect(unreadFields(fieldsOf('#by=colour&toString=1&words=x'), reads)).toEqual(['by=colour', 'toString=1'])
})
