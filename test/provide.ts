// Sees to it that the tests have a PostgreSQL, a Chromium and a Python: installs Debian's where one is missing, or says
// what to do.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { postgresBinaries } from '../packages/server/test/postgres/binaries.ts'
import { isHeavy } from '../packages/server/test/tier.ts'
import { SYSTEM_HEADLESS, systemChromium } from './browser/chromium.ts'

const NO_POSTGRES = `The tests need PostgreSQL 15 or newer. Install it, or set SALDO_TEST_DATABASE_URL, such as
  SALDO_TEST_DATABASE_URL=postgresql://postgres@localhost/postgres npm test
with a user who may create databases. They are named saldo_test_… and dropped when the tests end.`
const NO_CHROMIUM = `The tests need Chromium. Install your system's package chromium or chromium-headless-shell, or
  npx playwright-core install chromium`

function does(command: string, ...args: string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync(command, args, { stdio: ['ignore', 2, 2], env }).status === 0
}

function install(name: string): boolean {
  process.stderr.write(`saldo: installing ${name} …\n`)
  return process.getuid?.() === 0 && does('apt-get', 'update') && does('apt-get', 'install', '--yes', name)
}

function fail(message: string): void {
  process.stderr.write(`saldo: ${message}\n`)
  process.exitCode = 1
}

const hasPostgres = () => process.env.SALDO_TEST_DATABASE_URL !== undefined || postgresBinaries() !== undefined
const hasChromium = () => systemChromium() !== undefined || existsSync(chromium.executablePath())

const hasPython = () => spawnSync('python3', ['--version']).status === 0

if (!hasPython() && !install('python3')) fail('The tests need Python 3.10 or newer, for an example.')
if (!hasPostgres()) install('postgresql')
if (!hasPostgres()) fail(NO_POSTGRES)
// It is only faster, so tests go on without it.
if (!existsSync(SYSTEM_HEADLESS) && !isHeavy) install('chromium-headless-shell')
if (!hasChromium() && !install('chromium')) does('npx', 'playwright-core', 'install', 'chromium')
if (!hasChromium()) fail(NO_CHROMIUM)
