// Sees to it that the tests have a PostgreSQL, a Chromium and a Python; with `--quick`, a Chromium. Installs Debian's
// where one is missing: in CI and with `--install` at once, at a terminal if the user agrees; elsewhere it says what to
// do, or installs Playwright's Chromium if that is all that is missing.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline/promises'
import { chromium } from 'playwright-core'
import { isHeavy } from '../packages/core/test/tier.ts'
import { postgresBinaries } from '../packages/server/test/postgres/binaries.ts'
import { systemChromium } from './browser/chromium.ts'
import { FIREFOX } from './engines/firefox.ts'
import { hasWebKit } from './engines/webkit.ts'

interface Need {
  name: string
  isThere(): boolean
  /** Debian's package. */
  package: string
  /** True if the quick tier does without it. */
  isOfWhole: boolean
}

const chromiumName = isHeavy
  ? 'Chromium'
  : "Chromium or its headless shell (or Playwright's: npx playwright-core install chromium)"

const needs: Need[] = [
  {
    name: 'Python 3.10 or later',
    isThere: () => spawnSync('python3', ['--version']).status === 0,
    package: 'python3',
    isOfWhole: true,
  },
  {
    name: 'PostgreSQL 15 or later (or SALDO_TEST_DATABASE_URL, as docs/testing.md says)',
    isThere: () => process.env.SALDO_TEST_DATABASE_URL !== undefined || postgresBinaries() !== undefined,
    package: 'postgresql',
    isOfWhole: true,
  },
  {
    name: chromiumName,
    isThere: () => systemChromium() !== undefined || existsSync(chromium.executablePath()),
    package: isHeavy ? 'chromium' : 'chromium-headless-shell',
    isOfWhole: false,
  },
]
if (isHeavy) {
  const isThere = () => spawnSync('debootstrap', ['--version']).status === 0
  needs.push(
    { name: 'debootstrap', isThere, package: 'debootstrap', isOfWhole: true },
    { name: 'Firefox ESR', isThere: () => existsSync(FIREFOX), package: 'firefox-esr', isOfWhole: true },
    { name: 'WebKitGTK with its driver', isThere: hasWebKit, package: 'webkit2gtk-driver xvfb', isOfWhole: true },
  )
}

const isQuick = process.argv.includes('--quick')
/** Installs the browser of the library that drives it, which has builds for all systems. */
const playwright = [process.execPath, 'node_modules/playwright-core/cli.js', 'install', 'chromium'] as const

const missing = needs.filter((need) => !(isQuick && need.isOfWhole) && !need.isThere())
if (missing.length > 0) await provide(missing)

async function provide(wanted: readonly Need[]): Promise<void> {
  const packages = wanted.map((need) => need.package).join(' ')
  const command = `apt-get install --no-install-recommends ${packages}`
  const list = wanted.map(({ name }) => `  ${name}\n`).join('')
  process.stderr.write(`saldo: the tests need what this system does not have:\n${list}`)
  const isDebian = spawnSync('apt-get', ['--version']).status === 0
  if (!isDebian) return provideElsewhere(wanted)
  if (process.getuid?.() !== 0) return fail(`install it, then run npm test again: sudo ${command}`)
  if (!(await mayInstall(command))) return fail(`nothing was installed: "npm test -- --install" runs ${command}`)
  const env = {
    ...process.env,
    DEBIAN_FRONTEND: 'noninteractive',
    // No service starts: the tests start a PostgreSQL of their own.
    RUNLEVEL: '1',
  }
  for (const args of [['update'], ['install', '--yes', '--no-install-recommends', ...packages.split(' ')]]) {
    const { status } = spawnSync('apt-get', ['--quiet', ...args], { stdio: ['ignore', 2, 2], env })
    if (status !== 0) return fail(`apt-get ${args[0]} failed: its output above says why`)
  }
  const still = wanted.filter((need) => !need.isThere())
  if (still.length > 0) fail(`still missing: ${still.map(({ name }) => name).join(', ')}`)
}

/** Off Debian, only the browser can be installed for everybody alike. */
async function provideElsewhere(wanted: readonly Need[]): Promise<void> {
  const [command, ...args] = playwright
  if (wanted.some(({ name }) => name !== chromiumName) || !(await mayInstall(['node', ...args].join(' ')))) {
    return fail('install it with the tools of your system, then run npm test again')
  }
  if (spawnSync(command, args, { stdio: ['ignore', 2, 2] }).status !== 0) fail('Chromium was not installed')
}

async function mayInstall(command: string): Promise<boolean> {
  if (process.env.CI || process.argv.includes('--install')) return true
  if (!process.stdin.isTTY) return false
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const answer = await terminal.question(`saldo: run ${command}? [y/N] `)
  terminal.close()
  return /^y(es)?$/i.test(answer.trim())
}

function fail(message: string): void {
  process.stderr.write(`saldo: ${message}\n`)
  process.exitCode = 1
}
