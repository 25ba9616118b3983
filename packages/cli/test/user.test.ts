import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { runsOf } from '../../core/test/tier.ts'
import { addAccount, caller, EMAIL, fullTime, PASSWORD } from '../../server/test/faults/full-time.ts'
import { root, runSaldo, saldo, serve, temporaryDir } from '../../server/test/faults/program.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'

const STYLE = '\u001b['

/** Returns the command of a user with folders of their own. */
function userOf(home: string) {
  const env = { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), TZ: 'UTC' }
  const run = (args: string[], input?: string) => runSaldo(args, { env, ...(input !== undefined && { input }) })
  return {
    env,
    run,
    json: async (...args: string[]) => {
      const { code, stdout, stderr } = await run([...args, '--json'])
      expect({ code, args, stderr }).toMatchObject({ code: 0 })
      return JSON.parse(stdout)
    },
  }
}

/** Starts a service with an account, and signs a user in. */
async function begin() {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const { url, program } = await serve(dir)
  const call = caller(url, token)
  await call('POST', '/api/settings', fullTime('2026-01-01'))
  const user = userOf(temporaryDir())
  const login = await user.run(['login', url], `${token}\n`)
  expect(login).toMatchObject({ code: 0, stdout: `signed in as ${EMAIL} at ${url}; 0 entries on this computer\n` })
  return { ...user, url, call, token, program, dir }
}

heavyTest('a user signs in, records, reads and signs out; nothing but the user can read the files', async () => {
  const { run, json, call, env, url, token, dir } = await begin()
  const config = join(env.XDG_CONFIG_HOME, 'saldo/account.json')
  expect(statSync(config).mode & 0o777).toBe(0o600)
  for (const name of readdirSync(join(env.XDG_DATA_HOME, 'saldo'))) {
    expect(statSync(join(env.XDG_DATA_HOME, 'saldo', name)).mode & 0o777, name).toBe(0o600)
  }

  const added = await run(['add', '9-12:30', '13-17', '@Haus', '#plan', 'Dach', '--date', '2026-11-18'])
  expect(added).toMatchObject({
    code: 0,
    stdout:
      'added 2026-11-18 09:00-12:30 (3:30) Haus Dach #plan\nadded 2026-11-18 13:00-17:00 (4:00) Haus Dach #plan\n',
  })
  expect(await run(['sync'])).toMatchObject({ code: 0, stdout: 'everything is in sync\n', stderr: '' })
  const { items } = (await call('GET', '/api/entries')).body
  expect(items).toMatchObject([{ project: 'Haus', tags: ['plan'], note: 'Dach' }, { project: 'Haus' }])
  expect(await run(['add', 'gibberish'])).toMatchObject({ code: 2, stderr: expect.stringContaining('add a time') })

  const log = ['log', '--from', '2026-11-18', '--to', '2026-11-18', '--offline']
  expect((await run(log)).stdout).not.toContain(STYLE)
  expect((await runSaldo(log, { env: { ...env, FORCE_COLOR: '1' } })).stdout).toContain(STYLE)

  const exported = await run(['export', '--format', 'csv', '--from', '2026-11-18', '--to', '2026-11-18'])
  expect(exported.stdout).toContain('Dach')
  const file = join(temporaryDir(), 'more.csv')
  writeFileSync(file, 'Date,Start,End\n2026-11-17,09:00,10:00\n')
  expect(await run(['import', file, '--time-zone', 'UTC'])).toMatchObject({ code: 0, stderr: '' })
  expect(await json('sync')).toMatchObject({ state: 'synced', unsent: 0, rejected: 0 })
  const balance = await json('balance', '--offline')
  expect(balance.forecast_ms).toBe((await call('GET', '/api/balance')).body.projected_balance_ms)

  const signedIn = { code: 1, stdout: '', stderr: `saldo: ${EMAIL} is signed in at ${url}: «saldo logout» first\n` }
  expect(await run(['login', url.replace('localhost', '127.0.0.1')], `${token}\n`)).toMatchObject(signedIn)
  const settings = { env: { SALDO_DATA_DIR: dir } }
  const other = 'grace@example.com'
  await runSaldo(['admin', 'user', 'add', other, '--password-stdin'], { ...settings, input: PASSWORD })
  const { stdout: otherToken } = await runSaldo(['admin', 'token', 'add', other, '--name', 'x'], settings)
  expect(await run(['login', url], otherToken)).toMatchObject(signedIn)
  expect(await run(['login', url], `${token}\n`)).toMatchObject({ code: 0 })
  expect(await run(['login', url], '')).toMatchObject({ code: 2, stderr: expect.stringContaining('give a token') })

  expect(await run(['logout'])).toMatchObject({ code: 0, stdout: expect.stringContaining(`signed out of ${url}`) })
  expect(existsSync(config)).toBe(false)
  expect(readdirSync(join(env.XDG_DATA_HOME, 'saldo'))).toEqual([])
  expect(await run(['status'])).toMatchObject({ code: 1, stderr: expect.stringContaining('sign in first') })
})

heavyTest('without a network commands record and say so; signing out refuses to lose that', async () => {
  const { run, json, program, env } = await begin()
  await program.kill('SIGTERM')
  const added = await run(['add', '9-12', '--date', '2026-11-18'])
  expect(added).toMatchObject({ code: 0, stdout: 'added 2026-11-18 09:00-12:00 (3:00)\n' })
  expect(added.stderr).toMatch(/^saldo: offline: 1 change on this computer only, last sync 20\S+\n$/)
  expect(await run(['add', '13-14', '--date', '2026-11-18', '--offline'])).toMatchObject({ code: 0, stderr: '' })
  const log = await json('log', '--from', '2026-11-18', '--to', '2026-11-18')
  expect(log).toMatchObject({ entries: [{ pending: true }, { pending: true }], sync: { state: 'offline', unsent: 2 } })
  expect(await run(['sync'])).toMatchObject({ code: 1, stderr: expect.stringContaining('offline: 2 changes') })
  expect(await run(['logout'])).toMatchObject({ code: 1, stderr: expect.stringContaining('2 changes') })
  expect(existsSync(join(env.XDG_CONFIG_HOME, 'saldo/account.json'))).toBe(true)
  expect(await run(['logout', '--force'])).toMatchObject({ code: 0 })
})

test('commands at once wait for each other, and killed ones lose nothing that they told', async () => {
  const { json, env, run } = await begin()
  const hours = Array.from({ length: 4 }, (_, hour) => `${hour + 8}-${hour + 9}`)
  const runs = await Promise.all(hours.map((line) => run(['add', line, '--date', '2026-11-18', '--offline'])))
  expect(runs.map(({ code, stderr }) => ({ code, stderr }))).toEqual(hours.map(() => ({ code: 0, stderr: '' })))

  const told: string[] = []
  for (let index = 0; index < runsOf(3, 12); index += 1) {
    const program = saldo(['add', `${index + 8}-${index + 9} @kill${index}`, '--date', '2026-11-19'], { env })
    // Kills at any time: before the local copy is open, while it is written, and while the change is sent.
    await Promise.race([program.exited, sleep(40 + Math.random() * 400)])
    await program.kill('SIGKILL')
    if (program.stdout.includes('added')) told.push(`kill${index}`)
  }
  expect(await json('sync')).toMatchObject({ state: 'synced', unsent: 0 })
  const { entries } = await json('log', '--from', '2026-11-18', '--to', '2026-11-19', '--offline')
  const projects = entries.map(({ project }: { project: string | null }) => project)
  expect(projects.filter((project: string | null) => project === null)).toHaveLength(hours.length)
  expect(projects).toEqual(expect.arrayContaining(told))
  expect(new Set(entries.map(({ started_at }: { started_at: string }) => started_at)).size).toBe(entries.length)
})

heavyTest('a password creates a token with the name of the computer; a wrong one stores nothing', async () => {
  const dir = temporaryDir()
  await addAccount(dir)
  const { url } = await serve(dir)
  const { run, json, env } = userOf(temporaryDir())
  expect(await run(['login', url, '--email', EMAIL], 'wrong horse battery\n')).toMatchObject({
    code: 1,
    stderr: 'saldo: the e-mail address or the password is wrong\n',
  })
  expect(existsSync(join(env.XDG_CONFIG_HOME, 'saldo/account.json'))).toBe(false)
  expect(await run(['login', url, '--email', EMAIL], `${PASSWORD}\n`)).toMatchObject({ code: 0 })
  const tokens = await runSaldo(['admin', 'token', 'list', EMAIL], { env: { SALDO_DATA_DIR: dir } })
  expect(tokens.stdout).toMatch(/\tsaldo on .*\trecord\t/)
  // Without settings there is no target, and work shows all the same.
  await run(['add', '9-12', '--date', '2026-11-18'])
  expect((await json('week', '2026-11-18')).days[2]).toMatchObject({ worked_ms: 3 * 3_600_000, target_ms: 0 })
})

heavyTest('completion knows projects, tags and ids of the account, in a real bash', async () => {
  const { run, json, env } = await begin()
  await run(['add', '9-10 @"Front garden" #outside', '--date', '2026-11-18'])
  await run(['add', '10-11 @Haus', '--date', '2026-11-18'])
  const { stdout: script } = await runSaldo(['completion', 'bash'])
  // Bash breaks a line at @ into words.
  const complete = (...words: string[]) => {
    const program = `saldo() { '${process.execPath}' '${join(root, 'packages/cli/dist/saldo.js')}' "$@"; }`
    const setup = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _saldo`
    const lines = `${program}\n${script}\n${setup}; printf '%s\\n' "\${COMPREPLY[@]}"`
    return execFileSync('bash', ['-c', lines], { encoding: 'utf8', env: { ...process.env, ...env } })
      .trim()
      .split('\n')
  }
  expect(complete('saldo', 'start', '@', 'H')).toEqual(['Haus'])
  expect(complete('saldo', 'start', '@').toSorted()).toEqual(['Haus', '\\"Front\\ garden\\"'])
  expect(complete('saldo', 'report', '--project', 'Fr')).toEqual(['Front\\ garden'])
  expect(complete('saldo', 'edit', 'x', '--tags', '')).toEqual(['outside'])
  const ids = (await json('log', '--from', '2026-11-18')).entries.map((entry: { short_id: string }) => entry.short_id)
  expect(
    complete('saldo', 'edit', '')
      .filter((word) => !word.startsWith('-'))
      .toSorted(),
  ).toEqual(ids.toSorted())
})

test('completion knows commands, options and kinds, in a real bash', async () => {
  const { stdout: script } = await runSaldo(['completion', 'bash'])
  const complete = (line: string) => {
    const words = line.split(' ')
    const setup = `COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}; _saldo`
    const run = `${script}\n${setup}; echo "\${COMPREPLY[*]}"`
    return execFileSync('bash', ['-c', run], { encoding: 'utf8' }).trim().split(' ')
  }
  expect(complete('saldo st')).toEqual(['start', 'stop', 'status'])
  expect(complete('saldo absence va')).toEqual(['vacation'])
  expect(complete('saldo log --f')).toEqual(['--from'])
  expect(complete('saldo admin user set')).toEqual(['set-password'])
  // The word at the cursor is completed where it stands, even if it is a whole command.
  expect(complete('saldo log')).toEqual(['login', 'logout', 'log'])
  expect(complete('saldo admin user')).toEqual(['user'])
  expect(complete('saldo na')).toEqual([''])
  for (const shell of ['zsh', 'fish']) {
    expect((await runSaldo(['completion', shell])).stdout).toMatch(/absence.*vacation/s)
  }
})
