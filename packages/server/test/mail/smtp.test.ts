import { describe, expect, test } from 'vitest'
import { acceptedLanguage } from '../../src/http/accepted-language.ts'
import { type Letter, writeLetter } from '../../src/mail/letters.ts'
import { accountNotices } from '../../src/mail/notices.ts'
import { sendBySmtp } from '../../src/mail/smtp.ts'
import { readSmtpUrl } from '../../src/mail/smtp-url.ts'
import { openMailBox } from './smtp-server.ts'

const server = { host: 'mail.example.com', port: 587, tls: 'required', login: undefined } as const

describe('SALDO_SMTP_URL', () => {
  test.each([
    ['smtp://mail.example.com', server],
    ['smtp://mail.example.com:25/', { ...server, port: 25 }],
    ['smtp://mail.example.com?tls=none', { ...server, tls: 'none' }],
    ['smtps://mail.example.com', { ...server, port: 465, tls: 'implicit' }],
    [
      'smtp://ada%40example.com:p%3Aq@mail.example.com',
      { ...server, login: { user: 'ada@example.com', password: 'p:q' } },
    ],
    ['smtp://localhost:1025', { ...server, host: 'localhost', port: 1025, tls: 'none' }],
    ['smtp://127.0.0.1:25', { ...server, host: '127.0.0.1', port: 25, tls: 'none' }],
    ['smtp://[::1]:25', { ...server, host: '::1', port: 25, tls: 'none' }],
  ])('[D19.20] %s says how to reach the mail server', (url, expected) => {
    expect(readSmtpUrl(url)).toEqual(expected)
  })

  test.each([
    'mail.example.com',
    'https://mail.example.com',
    'smtp://',
    'smtp://mail.example.com/path',
    'smtp://mail.example.com?tls.rejectUnauthorized=false',
    'smtps://mail.example.com?tls=none',
    'smtp://a%ZZ@mail.example.com',
  ])('%s is not one', (url) => {
    expect(readSmtpUrl(url)).toBeUndefined()
  })
})

test('[D19.20] a mail is not sent if the server offers no TLS where TLS is required', async () => {
  const box = await openMailBox()
  const letter = writeLetter(
    { kind: 'reset', name: 'Ada', isFirstProof: false, url: 'https://saldo.example/link#x' },
    'en',
  )
  const mail = { ...letter, from: 'saldo@example.com', to: 'ada@example.com' }
  const at = { host: '127.0.0.1', port: box.port, login: undefined }
  await expect(sendBySmtp({ ...at, tls: 'required' }, mail)).rejects.toMatchObject({ code: 'ETLS' })
  expect(box.mails).toEqual([])
  await sendBySmtp({ ...at, tls: 'none' }, mail)
  expect(box.mails).toHaveLength(1)
})

describe('letters', () => {
  const service = 'https://saldo.example'
  const letters: Letter[] = [
    {
      kind: 'invitation',
      name: '<b>Ada</b> & "Co"',
      by: '<i>Eve</i>',
      email: 'ada@example.com',
      url: `${service}/link#x`,
    },
    { kind: 'invitation', name: 'Ada', by: undefined, email: 'ada@example.com', url: `${service}/link#x` },
    { kind: 'company_invitation', name: 'Ada', by: 'Eve', providers: ['<Us>'], email: 'ada@example.com', url: service },
    { kind: 'reset', name: 'Ada', isFirstProof: false, url: `${service}/link#x` },
    { kind: 'reset', name: '', isFirstProof: true, url: `${service}/link#x` },
    { kind: 'confirm_email', isFirstProof: false, url: `${service}/confirm-email#x` },
    { kind: 'confirm_email', isFirstProof: true, url: `${service}/confirm-email#x` },
    { kind: 'email_changed', name: 'Ada', email: 'new@example.com', service },
    ...accountNotices.map((what) => ({ kind: 'account_changed' as const, what, name: 'Ada', service })),
  ]
  test.each(letters)('a letter of the kind $kind says the same as text and as HTML, in both languages', (letter) => {
    const [english, german] = [writeLetter(letter, 'en'), writeLetter(letter, 'de')]
    expect(german.subject).not.toBe(english.subject)
    for (const { text, html } of [english, german]) {
      // Names are text, not markup, and nothing is loaded.
      expect(html).not.toMatch(/<[bi]>|<img|<link|<script|url\(/)
      if ('url' in letter) {
        expect(text.split('\n')).toContain(letter.url)
        expect(html).toContain(`href="${letter.url}"`)
      }
      for (const paragraph of text.trim().split('\n\n')) {
        expect(html).toContain(
          paragraph.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
        )
      }
    }
  })
})

test.each([
  [undefined, 'en'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['fr, de;q=0.5, en;q=0.7', 'en'],
  ['en;q=0, de;q=0.1', 'de'],
  ['*', 'en'],
  [';;q=x', 'en'],
])('[D19.19] a request that accepts the languages «%s» gets mails in «%s»', (header, language) => {
  expect(acceptedLanguage(header)).toBe(language)
})
