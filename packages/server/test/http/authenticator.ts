import { createHmac } from 'node:crypto'
import { expect } from 'vitest'
import type { TestService } from '../harness.ts'
import { type Browser, PASSWORD } from './browser.ts'

export const SECOND_FACTOR = '/api/me/second-factor'

/** RFC 6238, worked out anew: the code that an app with this key shows at a time. */
export function codeAt(key: string, ms: number): string {
  const bits = [...key].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'))
  const bytes =
    bits
      .join('')
      .match(/.{8}/g)
      ?.map((eight) => Number.parseInt(eight, 2)) ?? []
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(ms / 30_000)))
  const digest = createHmac('sha1', Buffer.from(bytes)).update(counter).digest()
  const at = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** A code that no app with this key shows within five steps of a time: a guess that is wrong for certain. */
export function wrongCodeAt(key: string, ms: number): string {
  const shown = new Set(Array.from({ length: 11 }, (_, index) => codeAt(key, ms + (index - 5) * 30_000)))
  const guesses = Array.from({ length: 12 }, (_, number) => String(number).padStart(6, '0'))
  return guesses.find((guess) => !shown.has(guess)) as string
}

/** Turns codes on, as a person with an app does. */
export async function enrol(service: TestService, browser: Browser) {
  const begun = await browser.call('POST', SECOND_FACTOR, { json: { password: PASSWORD } })
  expect(begun.status).toBe(200)
  const { key, uri } = begun.body as { key: string; uri: string }
  const code = (steps = 0) => codeAt(key, service.clock.now() + steps * 30_000)
  // Apps show the six digits in two groups.
  const typed = ` ${code().slice(0, 3)} ${code().slice(3)} `
  const confirmed = await browser.call('POST', `${SECOND_FACTOR}/confirmation`, { json: { code: typed } })
  expect(confirmed.status).toBe(200)
  return { key, uri, code, recoveryCodes: confirmed.body.recovery_codes as string[] }
}
