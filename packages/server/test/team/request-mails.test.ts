import { absenceKinds } from '@saldo/core'
import { expect, test } from 'vitest'
import { openMailBox } from '../mail/smtp-server.ts'
import { addGroup, give, join, person, startCompany } from './founded-company.ts'

const HOUR_MS = 3_600_000
/** Mails go out in the morning of this zone. */
const BERLIN = 'Europe/Berlin'

/** A company whose service sends mails, with Anna, who asks, and her lead Ben, who works from Monday to Thursday. */
async function start() {
  const box = await openMailBox()
  const config = { smtpUrl: box.url, mailFrom: 'Saldo <saldo@example.com>', publicUrl: 'https://saldo.example' }
  const made = await startCompany({ config })
  const { service, hr, company } = made
  const [anna, ben] = [await person(service, 'Anna'), await person(service, 'Ben')]
  const sales = await addGroup(hr, 'Sales', company)
  for (const one of [anna, ben]) await join(hr, one, sales)
  await give(hr, { user_id: ben.user, role: 'lead', group_id: sales })
  const hoursOf = { anna: [8, 8, 8, 8, 8, 0, 0], ben: [8, 8, 8, 8, 0, 0, 0] }
  for (const [one, hours] of [
    [anna, hoursOf.anna],
    [ben, hoursOf.ben],
  ] as const) {
    const json = { effective_from: '2026-01-01', time_zone: BERLIN, target_ms: hours.map((each) => each * HOUR_MS) }
    await one.call('POST', '/api/settings', { json })
  }
  const ask = async (date: string, last_date: string) => {
    const content = { kind: 'request', asks: 'absence', absence: 'vacation', date, last_date, note: 'to the sea' }
    const { body } = await anna.call('POST', '/api/entries', { json: content })
    await service.service.runDueJobs()
    return body.id as string
  }
  const decide = async (id: string, decision: object) => {
    const path = `/api/team/requests/${anna.user}/${id}`
    const { digest } = (await ben.call('GET', path)).body
    return ben.call('POST', `${path}/decision`, { json: { digest, ...decision } })
  }
  const textsTo = ({ email }: { email: string }) => box.to(email).map(({ text }) => text ?? '')
  return { ...made, box, anna, ben, ask, decide, textsTo }
}

test('[D26.12] [D26.18] approvers get one mail a working day while requests wait, which remind', async () => {
  const { service, hr, box, anna, ben, ask, decide, textsTo } = await start()
  const id = await ask('2026-12-21', '2026-12-23')
  // From Sunday 22 November to Monday 7 December.
  for (let day = 0; day < 16; day += 1) {
    service.clock.set(`2026-${day < 9 ? `11-${22 + day}` : `12-0${day - 8}`}T08:00:00.000Z`)
    await service.service.runDueJobs()
    await service.service.runDueJobs()
  }
  expect((await decide(id, { outcome: 'approved' })).status).toBe(200)
  service.clock.set('2026-12-08T08:00:00.000Z')
  await service.service.runDueJobs()
  // Stopping sends what is on its way.
  await service.restart()
  const toBen = textsTo(ben).filter((text) => text.includes('One request waits for your decision.'))
  const asked = 'Anna: December 21, 2026 – December 23, 2026 (3 working days), asked on November 21, 2026.'
  expect(toBen.every((text) => text.includes(asked))).toBe(true)
  expect(toBen.map((text) => text.includes('It has waited for five working days.')).sort()).toEqual([
    ...Array(5).fill(false),
    ...Array(4).fill(true),
  ])
  const toHr = textsTo(hr).filter((text) => text.includes('Anna'))
  expect(toHr.filter((text) => text.includes(`${asked} Others decide it`))).toHaveLength(1)
  expect(textsTo(anna).filter((text) => text.includes('Ben has approved your request'))).toHaveLength(1)
  for (const { text = '', subject = '' } of box.mails.filter((mail) => mail.subject?.includes('Acme'))) {
    for (const kind of [...absenceKinds, 'sea']) expect(`${subject} ${text}`).not.toContain(kind)
    expect(text.match(/https:\S+/g)?.every((url) => url === 'https://saldo.example')).toBe(true)
  }
})

test('[D26.18] a decision is mailed to the requester once, in their language and without the reason', async () => {
  const { service, anna, ask, decide, textsTo } = await start()
  await anna.call('PATCH', '/api/me', { json: { preferences: { language: 'de' } } })
  const id = await ask('2026-12-21', '2026-12-21')
  for (const _again of [1, 2]) await decide(id, { outcome: 'declined', reason: 'too many are away' })
  await service.restart()
  const text = textsTo(anna).filter((one) => one.includes('Antrag'))
  expect(text).toHaveLength(1)
  expect(text[0]).toContain('Ben hat deinen Antrag für 21. Dezember 2026 (1 Arbeitstag) abgelehnt.')
  expect(text[0]).not.toContain('too many')
})
