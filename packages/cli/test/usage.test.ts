import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runSaldo, temporaryDir } from '../../server/test/faults/program.ts'

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
  const place = (from: string, to: string) => ['migrate-database', '--from', from, '--to', to]
  const places = 'must be a file or a URL such as postgresql://saldo@localhost/saldo'
  const cases: [args: string[], line: string][] = [
    [[], missing],
    [['user'], missing],
    [['token'], missing],
    [['sreve'], "unknown command 'sreve' (Did you mean serve?)"],
    [['user', 'zap'], "unknown command 'zap'"],
    [['token', 'revok'], "unknown command 'revok' (Did you mean revoke?)"],
    [['--verbose'], "unknown option '--verbose'"],
    [['user', 'list', '--hlep'], "unknown option '--hlep' (Did you mean --help?)"],
    [['serve', '8080'], "too many arguments for 'serve'. Expected 0 arguments but got 1: 8080."],
    [['user', 'add', '--password-stdin'], "missing required argument 'email'"],
    [['user', 'add', 'ada@example.com'], "required option '--password-stdin' not specified"],
    [['token', 'add', 'ada@example.com'], "required option '--name <name>' not specified"],
    [['token', 'add', 'ada@example.com', '--name'], "option '--name <name>' argument missing"],
    [['token', 'add', 'ada@example.com', '--name', ''], 'the name must be text of 1 to 100 characters'],
    [['token', 'add', 'ada@example.com', '--name', 'n'.repeat(101)], 'the name must be text of 1 to 100 characters'],
    [['backup'], "missing required argument 'file'"],
    [['restore'], "missing required argument 'file'"],
    [['migrate-database', '--from', 'data/saldo.db'], "required option '--to <place>' not specified"],
    [place('data/saldo.db', 'postgressql://saldo:geheim@localhost/saldo'), `--to ${places}`],
    [place('Postgresql://saldo:geheim@localhost/saldo', 'data/saldo.db'), `--from ${places}`],
    [place('data/saldo.db', ''), `--to ${places}`],
    ...['geheim', 'geh/eim', 'ge@heim', 'g@e@heim', 'ge:heim', '@geheim', ':geheim:', 'https://geheim'].map(
      (password): [args: string[], line: string] => [
        [...place('data/saldo.db', 'saldo.db'), `postgresql://saldo:${password}@localhost/saldo`],
        "too many arguments for 'migrate-database'. Expected 0 arguments but got 1: postgresql://saldo:…@localhost/saldo.",
      ],
    ),
    [['token', 'list'], "missing required argument 'email'"],
    [['token', 'revoke', 'ada@example.com'], "missing required argument 'id'"],
  ]
  await Promise.all(cases.map(async ([args, line]) => expect(await misuse(args)).toBe(line)))
})

test('an invalid setting ends every command with one line about it', async () => {
  for (const args of [['user', 'list'], ['migrate']]) {
    const { code, stderr } = await runSaldo(args, { env: { SALDO_PORT: 'x' } })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'saldo: SALDO_PORT must be a whole number from 0 to 65535\n',
    })
  }
})

test('--help teaches every command: how it is written, what it does, and where its settings come from', async () => {
  const commands: [args: string[], usage: string][] = [
    [[], 'saldo [options] [command]'],
    [['serve'], 'saldo serve [options]'],
    [['migrate'], 'saldo migrate [options]'],
    [['backup'], 'saldo backup [options] <file>'],
    [['restore'], 'saldo restore [options] <file>'],
    [['migrate-database'], 'saldo migrate-database [options]'],
    [['user'], 'saldo user [options] [command]'],
    [['user', 'add'], 'saldo user add [options] <email>'],
    [['user', 'list'], 'saldo user list [options]'],
    [['token'], 'saldo token [options] [command]'],
    [['token', 'add'], 'saldo token add [options] <email>'],
    [['token', 'list'], 'saldo token list [options] <email>'],
    [['token', 'revoke'], 'saldo token revoke [options] <email> <id>'],
    [['feed'], 'saldo feed [options] [command]'],
    [['feed', 'add'], 'saldo feed add [options] <email>'],
    [['feed', 'list'], 'saldo feed list [options] <email>'],
    [['feed', 'revoke'], 'saldo feed revoke [options] <email> <id>'],
    [['import'], 'saldo import [options] [file]'],
    [['conformance'], 'saldo conformance [options] [url]'],
  ]
  await Promise.all(
    commands.map(async ([args, usage]) => {
      const { code, stdout, stderr } = await runSaldo([...args, '--help'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout.startsWith(`Usage: ${usage}\n\n`), stdout).toBe(true)
      const isGroup = usage.endsWith('[command]') && args.length > 0
      const readsSettings = !['migrate-database', 'import', 'conformance'].includes(args[0] ?? '')
      if (!isGroup && readsSettings) expect(stdout).toContain('SALDO_DATA_DIR')
    }),
  )
})

test('--help names every setting, and shows examples', async () => {
  const { stdout } = await runSaldo(['--help'])
  for (const name of [
    'SALDO_DATA_DIR',
    'SALDO_DATABASE_URL',
    'SALDO_HOST',
    'SALDO_PORT',
    'SALDO_PUBLIC_URL',
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
  expect(stdout).toMatch(/\n\nExamples:\n {2}saldo serve\n/)
})

test('--version prints the version alone', async () => {
  const { code, stdout, stderr } = await runSaldo(['--version'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+(\+[0-9a-f]+)?\n$/)
})
