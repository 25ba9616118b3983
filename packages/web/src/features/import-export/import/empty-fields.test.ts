import { expect, test } from 'vitest'
import { emptyFieldsFrom } from './empty-fields.ts'

test('[D11.12] an exported profile fills the empty fields and replaces none', () => {
  const own = { name: 'Ada Lovelace', personnel_number: '', employer: '' }
  const exported = { name: 'Ada Byron', personnel_number: '4711' }
  expect(emptyFieldsFrom(own, exported)).toEqual({ personnel_number: '4711' })
})
