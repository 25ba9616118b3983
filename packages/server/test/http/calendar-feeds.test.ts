import ICAL from 'ical.js'
import { expect, onTestFinished, test } from 'vitest'
import { serviceOfFile } from '../file-service.ts'
import { startTestService } from '../harness.ts'
import { type Browser, PASSWORD, signUp } from './browser.ts'
import { newId } from './resources.ts'

const service = await serviceOfFile({ now: '2026-11-21T12:00:00.000Z' })

const settings = {
  effective_from: '2020-01-01',
  time_zone: 'Europe/Berlin',
  target_ms: [8, 8, 8, 8, 8, 0, 0].map((hours) => hours * 3_600_000),
}
const words = { note: 'secret note', project: 'secret project', tags: ['secret tag'] }
const work = (started_at: string, ended_at: string | null) => ({ kind: 'work', started_at, ended_at, ...words })
const absence = (kind: string, date: string, day_share = 1) => ({ kind, date, day_share, ...words })

/** A user with a settings row, the given entries, and a feed with all that a feed can show. */
async function userWithFeed(entries: readonly object[] = [], options: object = {}) {
  const browser = await signUp(service)
  await browser.call('POST', '/api/settings', { json: { id: newId(), ...settings } })
  const ids: string[] = []
  for (const json of entries) ids.push((await browser.call('POST', '/api/entries', { json })).body.id)
  const feed = await createFeed(browser, options)
  return { browser, ids, feed, read: (path = feed.path) => service.call('GET', path) }
}

async function createFeed({ call }: Browser, options: object = {}) {
  const json = { name: 'Team', absences: true, work: true, language: 'en', password: PASSWORD, ...options }
  const { status, body, text } = await call('POST', '/api/me/feeds', { json })
  expect(status, text).toBe(201)
  return body as { id: string; path: string }
}

/** Reads the events of a calendar with a parser of its own. */
function eventsIn(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text))
  return calendar.getAllSubcomponents('vevent').map((component) => ({
    uid: String(component.getFirstPropertyValue('uid')),
    start: String(component.getFirstPropertyValue('dtstart')),
    end: String(component.getFirstPropertyValue('dtend')),
    summary: component.getFirstPropertyValue('summary'),
    transp: component.getFirstPropertyValue('transp'),
  }))
}

test('[D15.1] [D15.2] a feed shows absences in words and work as busy time, and nothing else', async () => {
  const { read, ids } = await userWithFeed([
    work('2026-11-20T08:00:00.000Z', '2026-11-20T12:00:00.000Z'),
    absence('sick', '2026-11-19'),
  ])
  const { status, headers, text } = await read()
  expect([status, headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8'])
  expect(eventsIn(text)).toMatchObject([
    { start: '2026-11-19', end: '2026-11-20', summary: 'Sick', transp: 'OPAQUE' },
    { start: '2026-11-20T08:00:00Z', end: '2026-11-20T12:00:00Z', summary: 'Busy', transp: 'OPAQUE' },
  ])
  expect(text).not.toMatch(/secret|Berlin|@example/)
  for (const id of ids) expect(text).not.toContain(id)
  const names = new Set(text.split('\r\n').map((line) => /^[\w-]*/.exec(line)?.[0]))
  expect([...names].toSorted()).toEqual(
    [
      ...['', 'BEGIN', 'DTEND', 'DTSTAMP', 'DTSTART', 'END', 'PRODID', 'REFRESH-INTERVAL', 'SUMMARY', 'TRANSP'],
      ...['UID', 'VERSION', 'X-PUBLISHED-TTL', 'X-WR-CALNAME'],
    ].toSorted(),
  )
})

test('[D15.2] a feed shows only absences or only work if that was chosen, and one of both must be', async () => {
  const { browser, read } = await userWithFeed([
    work('2026-11-20T08:00:00.000Z', '2026-11-20T12:00:00.000Z'),
    absence('vacation', '2026-11-19'),
  ])
  const summariesOf = async (options: object) =>
    eventsIn((await read((await createFeed(browser, options)).path)).text).map(({ summary }) => summary)
  expect(await summariesOf({ work: false })).toEqual(['Vacation'])
  expect(await summariesOf({ absences: false })).toEqual(['Busy'])
  const json = { name: 'none', absences: false, work: false, language: 'en', password: PASSWORD }
  const refused = await browser.call('POST', '/api/me/feeds', { json })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/absences'])
})

test('[D15.3] absences have their kind in the words of the feed, with the share if it is less than a day', async () => {
  const kinds = ['vacation', 'sick', 'public_holiday', 'time_off_in_lieu', 'unpaid', 'paid_other']
  const entries = kinds.map((kind, index) => absence(kind, `2026-12-0${index + 1}`, index === 0 ? 0.5 : 1))
  const { browser, read } = await userWithFeed(entries)
  expect(eventsIn((await read()).text).map(({ summary, transp }) => `${summary} ${transp}`)).toEqual([
    'Vacation (50%) TRANSPARENT',
    ...['Sick', 'Public holiday', 'Time off in lieu', 'Unpaid leave', 'Other paid leave'].map(
      (word) => `${word} OPAQUE`,
    ),
  ])
  const german = await createFeed(browser, { language: 'de' })
  expect(eventsIn((await read(german.path)).text).map(({ summary }) => summary)).toEqual([
    'Urlaub (50\u00a0%)',
    ...['Krank', 'Feiertag', 'Freizeitausgleich', 'Unbezahlter Urlaub', 'Bezahlte Freistellung'],
  ])
})

test('[D15.3] [D15.4] absences are on their dates and work at its instants when clocks change', async () => {
  const { read } = await userWithFeed([
    work('2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'),
    work('2026-03-29T00:30:00.500Z', '2026-03-29T01:30:00.999Z'),
    absence('vacation', '2026-10-25'),
    absence('vacation', '2026-03-29'),
  ])
  const { text } = await read()
  expect(text).toContain('DTSTART;VALUE=DATE:20261025\r\nDTEND;VALUE=DATE:20261026\r\n')
  expect(text).not.toMatch(/TZID|VTIMEZONE/)
  expect(eventsIn(text).map(({ start, end }) => `${start} ${end}`)).toEqual([
    '2026-03-29 2026-03-30',
    '2026-03-29T00:30:00Z 2026-03-29T01:30:00Z',
    '2026-10-25 2026-10-26',
    '2026-10-25T00:30:00Z 2026-10-25T01:30:00Z',
  ])
})

test('[D15.4] running entries, breaks and work of less than a second are left out', async () => {
  const { read } = await userWithFeed([
    { ...work('2026-11-20T09:00:00.000Z', '2026-11-20T10:00:00.000Z'), kind: 'break' },
    work('2026-11-20T11:00:00.100Z', '2026-11-20T11:00:00.900Z'),
    work('2026-11-21T11:00:00.000Z', null),
  ])
  expect(eventsIn((await read()).text)).toEqual([])
})

test('[D15.5] an event keeps its UID when the entry changes; another feed has other ones', async () => {
  const { browser, ids, read } = await userWithFeed([absence('vacation', '2026-11-19')])
  const [before] = eventsIn((await read()).text)
  await browser.call('PUT', `/api/entries/${ids[0]}`, { json: absence('sick', '2026-11-18') })
  const [after] = eventsIn((await read()).text)
  expect([after?.uid, after?.summary, after?.start]).toEqual([before?.uid, 'Sick', '2026-11-18'])
  const [other] = eventsIn((await read((await createFeed(browser)).path)).text)
  expect(other?.uid).not.toBe(before?.uid)
})

test('[D15.6] a feed covers a year and a day each way', async () => {
  const { read } = await userWithFeed(
    ['2025-11-19', '2025-11-20', '2027-11-22', '2027-11-23'].map((date) => absence('vacation', date)),
  )
  expect(eventsIn((await read()).text).map(({ start }) => start)).toEqual(['2025-11-20', '2027-11-22'])
})

test('[D15.6] of more than 5,000 entries, a feed shows the latest', async () => {
  const { browser, read } = await userWithFeed([absence('sick', '2026-01-01'), absence('vacation', '2026-11-20')])
  const change = (index: number) => {
    const at = (offsetMs: number) => new Date(Date.UTC(2026, 5, 1, index) + offsetMs).toISOString()
    const times = { kind: 'work', started_at: at(0), ended_at: at(1_800_000), time_zone: 'UTC' }
    return { kind: 'entries', op: 'upsert', record: { id: newId(), updated_at: at(0), ...times } }
  }
  const push = async (from: number, to: number) => {
    const changes = Array.from({ length: to - from }, (_, index) => change(((from + index) * 2) / 3))
    expect((await browser.call('POST', '/api/sync/push', { json: { changes } })).status).toBe(200)
  }
  for (let from = 0; from < 4_000; from += 1_000) await push(from, from + 1_000)
  await push(4_000, 4_998)
  expect(eventsIn((await read()).text)).toHaveLength(5_000)
  for (const from of [4_998, 5_499]) await push(from, from + 501)
  const events = eventsIn((await read()).text)
  expect(events.length).toBeGreaterThan(4_900)
  expect(events.length).toBeLessThanOrEqual(5_000)
  expect(events.filter(({ summary }) => summary !== 'Busy').map(({ summary }) => summary)).toEqual(['Vacation'])
  expect(events.at(-1)?.start).toBe('2026-11-20')
})

test('[D15.7] a feed answers 304 until something that it shows changes, and no proxy may keep it', async () => {
  const { browser, ids, feed, read } = await userWithFeed([absence('vacation', '2026-11-19')], { work: false })
  const first = await read()
  expect(first.headers.get('cache-control')).toBe('private, no-cache')
  const headers = { 'if-none-match': first.headers.get('etag') ?? '' }
  const again = () => service.call('GET', feed.path, { headers })
  // Neither work nor the note of an absence is in this feed, so reading it does not tell that they changed.
  await browser.call('POST', '/api/entries', { json: work('2026-11-20T08:00:00.000Z', '2026-11-20T12:00:00.000Z') })
  await browser.call('PUT', `/api/entries/${ids[0]}`, { json: { ...absence('vacation', '2026-11-19'), note: 'new' } })
  const unchanged = await again()
  expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([
    304,
    '',
    first.headers.get('etag'),
  ])
  expect(unchanged.headers.get('cache-control')).toBe('private, no-cache')
  await browser.call('PUT', `/api/entries/${ids[0]}`, { json: absence('vacation', '2026-11-18') })
  const changed = await again()
  expect(changed.status).toBe(200)
  expect(changed.headers.get('etag')).not.toBe(first.headers.get('etag'))
})

test('[D15.8] an address is shown once, only its hash is stored, and a revoked one is not found', async () => {
  const { browser, feed, read } = await userWithFeed()
  const secret = /^\/api\/calendar\/(feed_\d+_[\w-]{43})\.ics$/.exec(feed.path)?.[1] ?? ''
  const listed = await browser.call('GET', '/api/me/feeds')
  const { path: _path, ...row } = feed
  expect(listed.body.items).toEqual([row])
  expect(listed.text).not.toContain(secret)
  const { driver, close } = await service.openBeside()
  const stored = await driver.all<{ hash: string }>('SELECT * FROM calendar_feeds WHERE id = $1', [feed.id])
  await close()
  expect(JSON.stringify(stored)).not.toContain(secret.slice('feed_'.length))

  const stranger = await signUp(service)
  expect((await stranger.call('DELETE', `/api/me/feeds/${feed.id}`)).status).toBe(404)
  const { path: sparePath, ...spare } = await createFeed(browser)
  expect((await read()).status).toBe(200)
  expect((await browser.call('DELETE', `/api/me/feeds/${feed.id}`)).status).toBe(204)
  expect([(await read()).status, (await read()).body.code]).toEqual([404, 'not_found'])
  expect((await browser.call('DELETE', `/api/me/feeds/${feed.id}`)).status).toBe(404)
  // Neither the use of a feed nor its revocation shows at another one.
  expect((await browser.call('GET', '/api/me/feeds')).body.items).toEqual([spare])
  expect((await read(sparePath)).status).toBe(200)
})

test('[D15.9] the address of a feed is no token, and a token opens no feed and creates none', async () => {
  const { browser, feed, read } = await userWithFeed()
  const secret = feed.path.slice('/api/calendar/'.length, -'.ics'.length)
  for (const path of ['/api/me', '/api/entries', '/api/sync/pull']) {
    expect((await service.call('GET', path, { token: secret })).status).toBe(401)
  }
  const json = { name: 'program', password: PASSWORD }
  const { token } = (await browser.call('POST', '/api/me/tokens', { json })).body
  expect((await read(`/api/calendar/${token}.ics`)).status).toBe(404)
  const wanted = { ...json, absences: true, work: true, language: 'en' }
  expect((await service.call('POST', '/api/me/feeds', { token, json: wanted })).status).toBe(403)
  expect((await service.call('GET', '/api/me/feeds', { token })).status).toBe(403)
  // A session does not replace the secret.
  expect((await browser.call('GET', `/api/calendar/feed_${'x'.repeat(43)}.ics`)).status).toBe(404)
})

test('[D15.9] a feed shows the entries of its own user only', async () => {
  const one = await userWithFeed([absence('vacation', '2026-11-19')])
  const other = await userWithFeed([absence('sick', '2026-11-18')])
  expect(eventsIn((await one.read()).text).map(({ summary }) => summary)).toEqual(['Vacation'])
  expect(eventsIn((await other.read()).text).map(({ summary }) => summary)).toEqual(['Sick'])
})

test('[D15.10] creating a feed needs the password, and a new one revokes feeds unless tokens are kept', async () => {
  const { browser, read } = await userWithFeed()
  const json = { name: 'Team', absences: true, work: false, language: 'en' }
  expect((await browser.call('POST', '/api/me/feeds', { json })).status).toBe(400)
  const wrong = { ...json, password: 'not my password' }
  expect((await browser.call('POST', '/api/me/feeds', { json: wrong })).status).toBe(403)
  const change = (current_password: string, new_password: string, keep_tokens: boolean) =>
    browser.call('POST', '/api/me/password', { json: { current_password, new_password, keep_tokens } })
  expect((await change(PASSWORD, 'another long password', true)).status).toBe(204)
  expect((await read()).status).toBe(200)
  expect((await change('another long password', PASSWORD, false)).status).toBe(204)
  expect((await read()).status).toBe(404)
})

test('[D15.11] a feed answers 240 times an hour, and the feeds of a user 960 times, then 429', async () => {
  const [busy, other] = [await userWithFeed(), await userWithFeed()]
  const feeds = [busy.feed]
  for (let n = 1; n < 5; n += 1) feeds.push(await createFeed(busy.browser))
  const limits = [240, 240, 240, 240, 0]
  for (const [n, { path }] of feeds.entries()) {
    for (let reads = 0; reads < (limits[n] ?? 0); reads += 1) expect((await busy.read(path)).status).toBe(200)
    const refused = await busy.read(path)
    expect([refused.status, refused.body.code]).toEqual([429, 'rate_limited'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000)
  }
  expect((await other.read()).status).toBe(200)
})

test('[D15.12] the list tells the last use of a feed, to a quarter of an hour', async () => {
  const one = await startTestService({ now: '2026-11-21T12:00:00.000Z' })
  onTestFinished(() => one.close())
  const browser = await signUp(one)
  const feed = await createFeed(browser)
  const lastUse = async () => (await browser.call('GET', '/api/me/feeds')).body.items[0].last_used_at
  expect(await lastUse()).toBeNull()
  await one.call('GET', feed.path)
  expect(await lastUse()).toBe('2026-11-21T12:00:00.000Z')
  one.clock.advance(14 * 60_000)
  await one.call('GET', feed.path)
  expect(await lastUse()).toBe('2026-11-21T12:00:00.000Z')
  one.clock.advance(60_000)
  await one.call('GET', feed.path)
  expect(await lastUse()).toBe('2026-11-21T12:15:00.000Z')
})

test('[D15.1] lines end with CRLF and have at most 75 bytes, and words of the user are escaped', async () => {
  const name = 'Büro; A,B \\ 🗓'.repeat(6)
  const { read } = await userWithFeed([absence('paid_other', '2026-11-19', 0.25)], { name, language: 'de' })
  const { text } = await read()
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line), line).toBeLessThanOrEqual(75)
  expect(new ICAL.Component(ICAL.parse(text)).getFirstPropertyValue('x-wr-calname')).toBe(name)
})
