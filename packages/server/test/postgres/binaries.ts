import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The oldest version that Saldo runs on. */
const MIN_VERSION = 15
/** Where Debian keeps each version. */
const DEBIAN = '/usr/lib/postgresql'

/** The folder of PostgreSQL's programs, the newest that is installed; `undefined` where there is none new enough. */
export function postgresBinaries(): string | undefined {
  const ofDebian = existsSync(DEBIAN) ? readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin')) : []
  const found = [...ofDebian, ...(process.env.PATH ?? '').split(delimiter)]
    .filter((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')))
    .map((folder) => ({ folder, version: versionOf(folder) }))
    .filter(({ version }) => version >= MIN_VERSION)
  return found.toSorted((a, b) => b.version - a.version)[0]?.folder
}

/** The folder of the programs of a PostgreSQL that has the extension Citus; `undefined` unless it is given. */
export function citusBinaries(): string | undefined {
  return process.env.SALDO_TEST_CITUS
}

function versionOf(folder: string): number {
  const told = execFileSync(join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
  return Number(/\) (\d+)/.exec(told)?.[1])
}
