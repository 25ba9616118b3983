import { expect, test } from 'vitest'
import { type ChosenFile, withAnswers } from './chosen-file.ts'

const file: ChosenFile = {
  name: 'hours.csv',
  bytes: new Uint8Array(),
  choices: {},
  answers: { timeZone: 'Europe/Berlin' },
  reading: undefined,
  look: undefined,
  isBusy: false,
}

test('an answer leaves those to other questions as they are, and replaces the one to its own', () => {
  const answered = withAnswers(withAnswers(file, { user: 'Ada', timeZone: 'Europe/London' }), { dateOrder: 'dmy' })
  expect(answered.answers).toEqual({ timeZone: 'Europe/London', user: 'Ada', dateOrder: 'dmy' })
  expect(withAnswers(answered, { user: 'Bob' }).answers).toEqual({ ...answered.answers, user: 'Bob' })
})
