// Sees to it that the tests have a PostgreSQL: installs Debian's where it is missing, or says what to do.
import { spawnSync } from 'node:child_process'
import { postgresBinaries } from './binaries.ts'

const MISSING = `the tests need PostgreSQL 15 or newer. Install it, or name a server in SALDO_TEST_DATABASE_URL, such as
  SALDO_TEST_DATABASE_URL=postgresql://postgres@localhost/postgres npm test
with a user who may create databases; they are named saldo_test_… and go when the tests end.`

function apt(...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', args, { stdio: ['ignore', 2, 2], env }).status === 0
}

if (!process.env.SALDO_TEST_DATABASE_URL && !postgresBinaries()) {
  process.stderr.write('saldo: installing PostgreSQL …\n')
  const installed =
    process.getuid?.() === 0 && apt('update') && apt('install', '--yes', '--no-install-recommends', 'postgresql')
  if (!installed || !postgresBinaries()) {
    process.stderr.write(`saldo: ${MISSING}\n`)
    process.exitCode = 1
  }
}
