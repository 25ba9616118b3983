import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isHeavy } from '../../core/test/tier.ts'
import { runSaldo, temporaryDir } from '../../server/test/faults/program.ts'
import { heavyTest } from '../../server/test/heavy-test.ts'

/** Runs a command that is wrong, in a folder that it must not make. */
async function misuse(args: readonly string[]): Promise<string> {
  const dataDir = join(temporaryDir(), 'data')
  const { code, stdout, stderr } = await runSaldo(args, { env: { SALDO_DATA_DIR: dataDir } })
  expect({ code, stdout }, args.join(' ')).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^saldo: [^\n]+\n$/)
  expect(existsSync(dataDir)).toBe(false)
  return stderr.slice('saldo: '.length, -1)
}

test('an invalid command line ends with one line about the fault, and code 2', async () => {
  const missing = 'a command is missing: --help lists them'
  const place = (from: string, to: string) => ['admin', 'copy-database', '--from', from, '--to', to]
  const places = 'must be a file or a URL such as postgresql://saldo@localhost/saldo'
  const edges = [
    '',
    'admin user',
    'admin token revok',
    'admin user list --hlep',
    'serve 8080',
    'admin token add ada@example.com --name',
    'admin distribute --shards 0',
    'admin copy-database --from data/saldo.db --to postgressql://saldo:geheim@localhost/saldo',
    'admin copy-database --from data/saldo.db --to saldo.db postgresql://saldo:g@e@heim@localhost/saldo',
  ]
  const cases: [args: string[], line: string][] = [
    [[], missing],
    [['admin'], missing],
    [['admin', 'user'], missing],
    [['admin', 'token'], missing],
    [['sreve'], "unknown command 'sreve' (Did you mean serve?)"],
    [['admin', 'user', 'zap'], "unknown command 'zap'"],
    [['admin', 'token', 'revok'], "unknown command 'revok' (Did you mean revoke?)"],
    [['--verbose'], "unknown option '--verbose'"],
    [['admin', 'user', 'list', '--hlep'], "unknown option '--hlep' (Did you mean --help?)"],
    [['serve', '8080'], "too many arguments for 'serve'. Expected 0 arguments but got 1: 8080."],
    [['admin', 'user', 'add', '--password-stdin'], "missing required argument 'email'"],
    [['admin', 'user', 'add', 'ada@example.com'], "required option '--password-stdin' not specified"],
    [['admin', 'token', 'add', 'ada@example.com'], "required option '--name <name>' not specified"],
    [['admin', 'token', 'add', 'ada@example.com', '--name'], "option '--name <name>' argument missing"],
    [['admin', 'token', 'add', 'ada@example.com', '--name', ''], 'the name must be text of 1 to 100 characters'],
    [
      ['admin', 'token', 'add', 'ada@example.com', '--name', 'n'.repeat(101)],
      'the name must be text of 1 to 100 characters',
    ],
    [['admin', 'backup'], "missing required argument 'file'"],
    [['admin', 'restore'], "missing required argument 'file'"],
    [['admin', 'distribute'], "required option '--shards <number>' not specified"],
    [
      ['admin', 'distribute', '--shards', '0'],
      "option '--shards <number>' argument '0' is invalid. It must be a whole number from 1 to 64000.",
    ],
    [['admin', 'copy-database', '--from', 'data/saldo.db'], "required option '--to <place>' not specified"],
    [place('data/saldo.db', 'postgressql://saldo:geheim@localhost/saldo'), `--to ${places}`],
    [place('Postgresql://saldo:geheim@localhost/saldo', 'data/saldo.db'), `--from ${places}`],
    [place('data/saldo.db', ''), `--to ${places}`],
    ...['geheim', 'geh/eim', 'ge@heim', 'g@e@heim', 'ge:heim', '@geheim', ':geheim:', 'https://geheim'].map(
      (password): [args: string[], line: string] => [
        [...place('data/saldo.db', 'saldo.db'), `postgresql://saldo:${password}@localhost/saldo`],
        "too many arguments for 'copy-database'. Expected 0 arguments but got 1: postgresql://saldo:…@localhost/saldo.",
      ],
    ),
    [['admin', 'token', 'list'], "missing required argument 'email'"],
    [['admin', 'token', 'revoke', 'ada@example.com'], "missing required argument 'id'"],
  ]
  // Each kind of fault once in `npm test`, since each is a start of the program.
  const tried = isHeavy ? cases : cases.filter(([args]) => edges.includes(args.join(' ')))
  expect(tried.length).toBeGreaterThanOrEqual(edges.length)
  await Promise.all(tried.map(async ([args, line]) => expect(await misuse(args)).toBe(line)))
})

test('an invalid setting ends a command with code 2, a database that cannot be reached with code 1', async () => {
  const list = (env: Record<string, string>) => runSaldo(['admin', 'user', 'list'], { env })
  expect(await list({ SALDO_PORT: 'x' })).toMatchObject({
    ...{ code: 2, stdout: '', stderr: 'saldo: SALDO_PORT must be a whole number from 0 to 65535\n' },
  })
  const unreachable = { SALDO_DATABASE_URL: 'postgresql://saldo@127.0.0.1:1/x', SALDO_AUTH_SECRET: 's'.repeat(32) }
  expect(await list(unreachable)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^saldo: .*\n$/) })
})

test('--help teaches every command: how it is written, what it does, and where its settings come from', async () => {
  const commands: [args: string[], usage: string][] = [
    [[], 'saldo [options] [command]'],
    [['login'], 'saldo login [options] <url>'],
    [['add'], 'saldo add [options] <text...>'],
    [['absence'], 'saldo absence [options] <kind> <dates...>'],
    [['report'], 'saldo report [options] [dates...]'],
    [['vacation'], 'saldo vacation [options] [year]'],
    [['completion'], 'saldo completion [options] <shell>'],
    [['manual'], 'saldo manual [options]'],
    [['serve'], 'saldo serve [options]'],
    [['mcp'], 'saldo mcp [options]'],
    [['admin'], 'saldo admin [options] [command]'],
    [['admin', 'migrate'], 'saldo admin migrate [options]'],
    [['admin', 'backup'], 'saldo admin backup [options] <file>'],
    [['admin', 'restore'], 'saldo admin restore [options] <file>'],
    [['admin', 'copy-database'], 'saldo admin copy-database [options]'],
    [['admin', 'user'], 'saldo admin user [options] [command]'],
    [['admin', 'user', 'add'], 'saldo admin user add [options] <email>'],
    [['admin', 'user', 'list'], 'saldo admin user list [options]'],
    [['admin', 'token'], 'saldo admin token [options] [command]'],
    [['admin', 'token', 'add'], 'saldo admin token add [options] <email>'],
    [['admin', 'token', 'list'], 'saldo admin token list [options] <email>'],
    [['admin', 'token', 'revoke'], 'saldo admin token revoke [options] <email> <id>'],
    [['admin', 'feed'], 'saldo admin feed [options] [command]'],
    [['admin', 'feed', 'add'], 'saldo admin feed add [options] <email>'],
    [['admin', 'feed', 'list'], 'saldo admin feed list [options] <email>'],
    [['admin', 'feed', 'revoke'], 'saldo admin feed revoke [options] <email> <id>'],
    [['import'], 'saldo import [options] [file]'],
    [['conformance'], 'saldo conformance [options] [url]'],
  ]
  await Promise.all(
    commands.map(async ([args, usage]) => {
      const { code, stdout, stderr } = await runSaldo([...args, '--help'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.startsWith(`Usage: ${usage}\n\n`), stdout).toBe(true)
      const isGroup = usage.endsWith('[command]') && args.length > 0
      const readsSettings = [undefined, 'serve', 'admin'].includes(args[0]) && args.at(-1) !== 'copy-database'
      if (!isGroup && readsSettings) expect(stdout).toContain('SALDO_DATA_DIR')
    }),
  )
})

test('--help names every setting, and shows examples', async () => {
  const { stdout } = await runSaldo(['--help'])
  for (const name of [
    'SALDO_DATA_DIR',
    'SALDO_DATABASE_URL',
    'SALDO_DATABASE_CONNECTIONS',
    'SALDO_EVENT_STREAMS',
    'SALDO_HOST',
    'SALDO_PORT',
    'SALDO_PUBLIC_URL',
    'SALDO_ALLOWED_ORIGINS',
    'SALDO_PRIVATE_WEBHOOK_HOSTS',
    'SALDO_SIGNUP',
    'SALDO_LOG_LEVEL',
    'SALDO_TRUSTED_PROXIES',
    'SALDO_WRITES_PER_MINUTE',
    'SALDO_WRITE_MEGABYTES_PER_MINUTE',
    'SALDO_USER_QUOTA',
    'SALDO_FAILED_SIGN_INS',
    'SALDO_AUTH_SECRET',
  ]) {
    expect(stdout).toContain(name)
  }
  expect(stdout).toMatch(/\n\nExamples:\n {2}saldo login https/)
})

heavyTest('help prints what --help prints, also of a command that is loaded late', async () => {
  for (const command of [[], ['add'], ['admin', 'user', 'add']]) {
    const [asked, wanted] = await Promise.all([runSaldo(['help', ...command]), runSaldo([...command, '--help'])])
    expect(asked).toEqual(wanted)
  }
})

test('--version prints the version alone', async () => {
  const { code, stdout, stderr } = await runSaldo(['--version'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+(\+[0-9a-f]+)?\n$/)
})
