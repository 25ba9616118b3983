import { expect, test } from 'vitest'
import { withChanged, withProblem } from './useForm.ts'

const typed = { form: { date: '2026-11-20', reason: '' }, problem: undefined }

test('a form keeps what was typed when something is wrong with it, and says so until something else is typed', () => {
  const checked = withProblem(typed, 'reason')
  expect(checked).toEqual({ ...typed, problem: 'reason' })
  expect(withChanged(checked, { reason: 'Paid' })).toEqual({
    form: { date: '2026-11-20', reason: 'Paid' },
    problem: undefined,
  })
})
