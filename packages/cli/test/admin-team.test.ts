import { expect, test, vi } from 'vitest'
import { startTestService } from '../../server/test/harness.ts'
import { PASSWORD } from '../../server/test/http/browser.ts'
import { openMailBox } from '../../server/test/mail/smtp-server.ts'
import { found, give, join, person, signInAgain, TODAY, useShownLink } from '../../server/test/team/founded-company.ts'
import { commandsIn } from './in-process.ts'

// Commands have the clock of the computer.
const now = `${TODAY}T12:00:00.000Z`
vi.useFakeTimers({ now: Date.parse(now), toFake: ['Date'] })

test('[D24.4] [D24.9] [D24.10] the operator replaces a lost HR, and all members get a mail', async () => {
  const [from, box] = [TODAY, await openMailBox()]
  const service = await startTestService({ now })
  try {
    const admin = await person(service, 'Ada')
    const [hr, grace, edsger] = [
      await person(service, 'Hedy'),
      await person(service, 'Grace'),
      await person(service, 'Edsger'),
    ]
    const company = await found(admin, 'Acme', hr)
    await join(hr, grace, company, from)
    await give(hr, { user_id: grace.user, role: 'lead', group_id: company, from })
    const mail = { SALDO_SMTP_URL: box.url, SALDO_MAIL_FROM: 'saldo@example.com', SALDO_PUBLIC_URL: 'http://localhost' }
    const commands = commandsIn({ SALDO_DATA_DIR: service.dataDir, ...mail })
    const team = (...args: string[]) => commands.run('admin', 'team', ...args)
    expect(await commands.json('admin', 'team', 'list', '--json')).toEqual([
      { number: company, name: 'Acme', members: 1, hr: [hr.email] },
    ])
    expect((await team('hr', 'Bell', edsger.email)).stderr).toContain('there is no company Bell')
    const shown = { show: true, password: PASSWORD }
    await admin.call('POST', `/api/admin/users/${edsger.user}/link`, { json: shown })
    expect((await team('hr', 'Acme', edsger.email)).stderr).toContain('has to use the link')
    await useShownLink(service, admin, edsger)
    await signInAgain(service, edsger)
    expect(await team('hr', 'Acme', edsger.email)).toEqual({ code: 0, stdout: '', stderr: '' })
    expect((await edsger.call('GET', '/api/team/people')).status).toBe(200)
    expect((await hr.call('GET', '/api/team/people')).status).toBe(404)
    const { items } = (await edsger.call('GET', '/api/team/trail')).body
    expect(items[0]).toMatchObject({ kind: 'hr_replaced', actor: null, user: { name: 'Edsger' } })
    expect(items[1]).toMatchObject({ kind: 'role_ended', actor: null, user: { name: 'Hedy' } })
    for (const { email } of [grace, edsger])
      expect(box.to(email).at(-1)?.text).toContain('Edsger (HR, Acme): is now HR')
    // A password by somebody else lets the roles rest.
    const set = commands.given('battery staple horse\n')
    expect((await set.run('admin', 'user', 'set-password', edsger.email, '--password-stdin')).code).toBe(0)
    const other = await person(service, 'Barbara')
    expect((await team('hr', 'Acme', other.email)).code).toBe(0)
    const roles = (await other.call('GET', '/api/team/roles')).body.items
    const states = roles.map(({ user, role, state }: { user: { name: string }; role: string; state: string }) =>
      [user.name, role, state].join(' '),
    )
    expect(states.toSorted()).toEqual([
      'Barbara hr in_force',
      'Edsger hr ended',
      'Grace lead in_force',
      'Hedy hr ended',
    ])
  } finally {
    await service.close()
  }
})

test('[D30.1] `team rebuild` makes the same facts anew', async () => {
  const from = TODAY
  const service = await startTestService({ now })
  try {
    const admin = await person(service, 'Ada')
    const [hr, grace] = [await person(service, 'Hedy'), await person(service, 'Grace')]
    const company = await found(admin, 'Acme', hr)
    await join(hr, grace, company, from)
    const hours = Array(7).fill(8 * 3_600_000)
    await grace.call('POST', '/api/settings', {
      json: { effective_from: '2026-01-01', time_zone: 'UTC', target_ms: hours },
    })
    await grace.call('POST', '/api/entries', { json: { kind: 'sick', date: from } })
    await service.service.runDueJobs()
    const read = async () => (await hr.call('GET', `/api/team/away?from=${from}&to=${from}`)).body.items
    const before = await read()
    expect(before).toMatchObject([{ name: 'Grace', dates: [{ from, to: from, sight: 'away', kind: 'sick' }] }])
    const stores = await service.openBeside()
    await stores.driver.run('DELETE FROM team_facts')
    await stores.close()
    expect(await read()).toMatchObject([{ name: 'Grace', dates: [] }])
    const { run } = commandsIn({ SALDO_DATA_DIR: service.dataDir })
    expect(await run('admin', 'team', 'rebuild')).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await read()).toEqual(before)
  } finally {
    await service.close()
  }
})
