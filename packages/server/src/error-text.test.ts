import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { adviceFor, errorText } from './error-text.ts'

test('each address that was tried is named', async () => {
  const addresses = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }))
  const error = await new Promise<unknown>((resolve) => {
    const lookup = (_name: string, _options: object, done: (error: null, found: typeof addresses) => void) =>
      done(null, addresses)
    connect({ host: 'db.test', port: 1, autoSelectFamily: true, lookup: lookup }).on('error', resolve)
  })
  expect(error).toBeInstanceOf(AggregateError)
  expect(errorText(error)).toBe('connect ECONNREFUSED 127.0.0.1:1; connect ECONNREFUSED 127.0.0.2:1')
})

test('the text of an error is one line, whatever was thrown', () => {
  expect(errorText(new Error('first\nsecond'))).toBe('first')
  expect(errorText(new TypeError())).toBe('TypeError')
  expect(errorText('text')).toBe('text')
  expect(errorText(new AggregateError([]))).toBe('AggregateError')
})

test('a certificate that is not trusted leads to the setting of a company CA', () => {
  expect(adviceFor('SELF_SIGNED_CERT_IN_CHAIN')).toContain('NODE_EXTRA_CA_CERTS')
  expect(adviceFor('UNABLE_TO_VERIFY_LEAF_SIGNATURE')).toContain('NODE_EXTRA_CA_CERTS')
  expect(adviceFor('ECONNREFUSED')).toBe('')
})
