/**
 * `npm run bench`: measures Saldo and a bare reference server in one run, prints their ratios, and writes
 * `bench/results.json`. `--client`, `--import`, `--holidays` and `--app` measure only one part, `--tiny` does a little
 * of everything; none of them writes a file. `--postgres` measures the service on PostgreSQL and writes
 * `bench/results-postgres.json`. `--abuse` measures what one user can do to another and writes
 * `bench/results-abuse.json`; `--only "SQLite: many keys"` measures one abuse and writes no file. `--months` measures
 * while months pass for the service and writes `bench/results-months.json`.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { abuse, fullAbuseSizes, tinyAbuseSizes } from './abuse/scenarios.ts'
import { app, fullAppSizes, scrolling, tinyAppSizes } from './app/scenarios.ts'
import { client, fullClientSizes, tinyClientSizes } from './client/scenarios.ts'
import { fullHolidaySizes, generatingHolidays, tinyHolidaySizes } from './holidays/scenarios.ts'
import { importingInBrowser } from './import/browser.ts'
import { fullImportSizes, importing, tinyImportSizes } from './import/scenarios.ts'
import { closeLoad } from './load.ts'
import { fullMonthsSizes, monthsPass, tinyMonthsSizes } from './months/scenarios.ts'
import { fullPostgresSizes, postgres, tinyPostgresSizes } from './postgres/scenarios.ts'
import type { Result } from './result.ts'
import { closing, compareWithReference, flatness, fullSizes, tinySizes } from './scenarios.ts'

const isTiny = process.argv.includes('--tiny')
const oneAbuse = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined
const sizes = isTiny ? tinySizes : fullSizes
const results: Result[] = []
const scenarios = {
  service: [compareWithReference, closing, flatness].map((scenario) => () => scenario(sizes)),
  client: [() => client(isTiny ? tinyClientSizes : fullClientSizes)],
  import: [importing, importingInBrowser].map((scenario) => () => scenario(isTiny ? tinyImportSizes : fullImportSizes)),
  holidays: [() => generatingHolidays(isTiny ? tinyHolidaySizes : fullHolidaySizes)],
  app: [app, scrolling].map((scenario) => () => scenario(isTiny ? tinyAppSizes : fullAppSizes)),
}
const onPostgres = postgres.map((scenario) => () => scenario(isTiny ? tinyPostgresSizes : fullPostgresSizes))
const onMonths = [() => monthsPass(isTiny ? tinyMonthsSizes : fullMonthsSizes)]
const onAbuse = [() => abuse(isTiny ? tinyAbuseSizes : fullAbuseSizes, oneAbuse)]
const only = (['client', 'app', 'import', 'holidays', 'postgres', 'abuse', 'months'] as const).find((part) =>
  process.argv.includes(`--${part}`),
)
const all = Object.values(scenarios).flat()
const apart = { postgres: onPostgres, abuse: onAbuse, months: onMonths }
const wanted = only ? { ...scenarios, ...apart }[only] : isTiny ? [...all, ...onPostgres, ...onAbuse, ...onMonths] : all
for (const scenario of wanted) {
  for (const result of await scenario()) {
    results.push(result)
    print(result)
  }
}
closeLoad()
if (!isTiny && !only) save('results.json')
if (!isTiny && oneAbuse === undefined && (only === 'postgres' || only === 'abuse' || only === 'months'))
  save(`results-${only}.json`)

function print({ what, reference, saldo, ratio, target, met }: Result): void {
  const verdict = isTiny ? '' : met ? '  met' : '  MISSED'
  const columns = [what.padEnd(62), reference.padStart(18), saldo.padStart(18), ratio.toFixed(2).padStart(7)]
  process.stdout.write(`${columns.join('  ')}  ${target.padEnd(6)}${verdict}\n`)
}

function save(name: string): void {
  const file = join(import.meta.dirname, name)
  const machine = { node: process.version, cpu: cpus()[0]?.model.trim(), cores: availableParallelism() }
  const rounded = results.map((result) => ({ ...result, ratio: Math.round(result.ratio * 1000) / 1000 }))
  writeFileSync(
    file,
    `${JSON.stringify({ date: new Date().toISOString().slice(0, 10), machine, results: rounded }, null, 2)}\n`,
  )
}
