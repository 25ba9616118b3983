import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { asLine, DisplayName, type FeedRow } from '@saldo/core'
import ICAL from 'ical.js'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { writeFeed } from '../src/calendar/feed.ts'
import { type Letter, writeLetter } from '../src/mail/letters.ts'
import { sendBySmtp } from '../src/mail/smtp.ts'
import { GivenName } from '../src/users/credentials.ts'
import { openMailBox } from './mail/smtp-server.ts'

const vectors = readFileSync(join(import.meta.dirname, '../../../fixtures/nasty-texts.json'), 'utf8')
const nastyTexts = Object.values(JSON.parse(vectors) as Record<string, string[]>).flat()

/** Characters that forge a line or steer a terminal, or turn the direction of what follows. */
const notInLines = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

test('[D1.39] a name that is more than a line is refused, for users and for what they name', () => {
  const long = (text: string) => [...text].length > 100 || text.trim() === ''
  for (const text of nastyTexts.filter((each) => !long(each))) {
    expect([text, v.safeParse(GivenName, text).success]).toEqual([text, !notInLines.test(text)])
    expect([text, v.safeParse(DisplayName, text).success]).toEqual([text, !notInLines.test(text.trim())])
  }
})

test('[D1.39] a calendar has no line that a text forged, and its reader gets the text as a line', async () => {
  for (const name of nastyTexts) {
    const feed = {
      id: 'feed',
      name,
      language: 'en',
      absences: true,
      work: true,
      created_at: '2026-11-01T00:00:00.000Z',
    }
    const calendar = await writeFeed(feed as unknown as FeedRow, [])
    const lines = calendar.split('\r\n')
    expect(lines.filter((line) => /[\p{Cc}\u2028\u2029]/u.test(line))).toEqual([])
    expect(lines.every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    expect(lines.filter((line) => /^(BEGIN|END|X-EVIL)/.test(line))).toEqual(['BEGIN:VCALENDAR', 'END:VCALENDAR'])
    const read = new ICAL.Component(ICAL.parse(calendar))
    expect(read.getFirstPropertyValue('x-wr-calname')).toBe(asLine(name))
    expect(read.getAllProperties().map((property) => property.name)).toEqual([
      'prodid',
      'version',
      'x-wr-calname',
      'refresh-interval',
      'x-published-ttl',
    ])
    expect(read.getAllSubcomponents()).toEqual([])
  }
})

const url = 'https://saldo.test/link#secret'
const lettersOf = (name: string): Letter[] => [
  { kind: 'invitation', name, by: name, email: 'ada@example.com', url },
  { kind: 'company_invitation', name, by: name, providers: ['Company'], email: 'ada@example.com', url },
  { kind: 'reset', name, isFirstProof: false, url },
  { kind: 'email_changed', name, email: 'ada@example.com', service: 'https://saldo.test' },
  { kind: 'email_corrected', name, email: 'ada@example.com', service: 'https://saldo.test' },
  { kind: 'account_changed', what: 'password', name, service: 'https://saldo.test' },
]

/** Returns what mail programs make a link of: schemes, hosts of two labels, addresses. */
function linksIn(text: string): string[] {
  const ours = text.replaceAll(url, '').replaceAll('https://saldo.test', '').replaceAll('ada@example.com', '')
  return (
    ours
      .normalize('NFKC')
      .match(/\w+:\/?\/|\bwww\.\S|[\p{L}\p{N}]\p{Cf}*[.。]\p{Cf}*\p{L}|\S@\S|(mailto|tel|javascript|data):\S/gu) ?? []
  )
}

test('[D19.29] no name makes a link in a letter, or adds to its markup', () => {
  for (const language of ['en', 'de'] as const) {
    for (const name of nastyTexts) {
      const plain = lettersOf('Ada')
      for (const [index, letter] of lettersOf(name).entries()) {
        const written = writeLetter(letter, language)
        expect([name, linksIn(written.text)]).toEqual([name, []])
        expect(notInLines.test(written.text.replaceAll('\n', ''))).toBe(false)
        const tagsOf = (html: string) => html.replaceAll(url, '').match(/<[^>]*>/g)
        const usual = writeLetter(plain[index] as Letter, language)
        expect(tagsOf(written.html)).toEqual(tagsOf(usual.html))
        expect(written.text.split('\n')).toHaveLength(usual.text.split('\n').length)
        expect(written.subject).toBe(usual.subject)
      }
    }
  }
})

test('[D19.29] a letter arrives as it was written, to one address, whatever the names in it', async () => {
  const box = await openMailBox()
  const { port } = box
  const sent = nastyTexts.map((name, index) => ({
    to: `ada${index}@example.com`,
    letter: writeLetter({ kind: 'invitation', name, by: name, email: 'ada@example.com', url }, 'en'),
  }))
  const at = { host: '127.0.0.1', port, tls: 'none', login: undefined } as const
  // In turn: a server that greets a hundred at once may be too late for some.
  for (const { to, letter } of sent) await sendBySmtp(at, { ...letter, from: 'saldo@example.com', to })
  expect(box.mails).toHaveLength(nastyTexts.length)
  for (const { to, letter } of sent) {
    const [mail, ...others] = box.to(to)
    if (!mail) throw new Error(`no mail to ${to}`)
    expect(others).toEqual([])
    expect(new Set(mail.headers.map(({ key }) => key))).toEqual(new Set(box.mails[0]?.headers.map(({ key }) => key)))
    expect([mail.to?.length, mail.subject]).toEqual([1, letter.subject])
    expect(mail.text?.replaceAll('\r\n', '\n').trimEnd()).toBe(letter.text.trimEnd())
    expect(mail.html?.trimEnd()).toBe(letter.html.trimEnd())
  }
})
