import { expect, test } from 'vitest'
import { NotSignedInError } from '../api/request.ts'
import { openSaldo } from '../api/saldo.ts'
import { RejectedError } from './errors.ts'

test('the message of a rejection names the fields and what is wrong with them', () => {
  const errors = [
    { pointer: '/started_at', detail: 'must be an instant' },
    { pointer: '', detail: 'is too large' },
  ]
  const problem = { code: 'invalid_record', status: 422, detail: 'The record is not valid.', errors } as const
  const text = 'The record is not valid. /started_at must be an instant; is too large'
  expect(new RejectedError(problem as never).message).toBe(text)
})

test('a refused token says the reason of the service', () => {
  const detail = 'This token has expired or was revoked.'
  expect(new NotSignedInError({ detail } as never).message).toBe(detail)
})

test('without Temporal, opening a device says which package brings it', async () => {
  const { Temporal } = globalThis
  Reflect.deleteProperty(globalThis, 'Temporal')
  try {
    await expect(openSaldo({} as never)).rejects.toThrow("import 'temporal-polyfill/global' first")
  } finally {
    Object.assign(globalThis, { Temporal })
  }
})
