import { expect, test } from 'vitest'
import { editsLeft } from './profile-edits.ts'

test('saved edits are none any more, so that later values of other devices show; what is typed meanwhile stays', () => {
  expect(editsLeft({ name: 'Ada', employer: 'Engine' }, { name: 'Ada', employer: 'Engine' })).toEqual({})
  expect(editsLeft({ name: 'Ada L', employer: '' }, { name: 'Ada', employer: '' })).toEqual({ name: 'Ada L' })
})
