import { expect, test } from 'vitest'
import { chosenByText, labelOf, type Option } from './search-select-model.ts'

const states: Option[] = [
  { value: '', label: 'Nur bundesweite Feiertage' },
  { value: 'BY', label: 'Bayern' },
  { value: 'SN', label: 'Sachsen' },
  { value: 'ST', label: 'Sachsen-Anhalt' },
]

test('[D32.1] a text that is left takes the option of its name, or the only one that contains it', () => {
  for (const [text, value] of [
    ['bay', 'BY'],
    [' BAYERN ', 'BY'],
    ['sachsen', 'SN'],
    ['anhalt', 'ST'],
    ['bundes', ''],
    ['Bayern', 'BY'],
  ]) {
    expect(chosenByText(text as string, states, 'BY'), text).toEqual({ kind: 'taken', value })
  }
})

test('[D32.1] a text that is left is asked about if it fits several options or none, or is emptied', () => {
  for (const text of ['sachs', 'Bavaria', '', ' '])
    expect(chosenByText(text, states, 'BY'), text).toEqual({ kind: 'asked' })
})

test('a choice that is not typed over stays, also where nothing is chosen', () => {
  expect(chosenByText('', ['Garden', 'Saldo'], null)).toEqual({ kind: 'taken', value: null })
  expect(labelOf(['Garden', 'Saldo'], 'Saldo')).toBe('Saldo')
  expect(labelOf(states, 'BY')).toBe('Bayern')
})
