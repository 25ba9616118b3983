import { expect, test } from 'vitest'
import { browserOf } from './browser-of.ts'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox, Windows'],
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    'Chrome, Linux',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1',
    'Safari, iPhone',
  ],
  ['curl/8.1', 'curl/8.1'],
])('«%s» has a name as «%s»', (userAgent, name) => expect(browserOf(userAgent)).toBe(name))

test('an unknown user agent has no browser name', () => {
  expect(browserOf(null)).toBeUndefined()
})
