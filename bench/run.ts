/**
 * `npm run bench`: measures Saldo beside bare references, prints each value with its target, and writes
 * `bench/results.json`, part by part with the commit. `--service`, `--client` and so on measure one part each; `--tiny`
 * does a little of everything and writes nothing. `--abuse --only "SQLite: many keys"` measures one abuse and writes
 * nothing.
 */
import { abuse, fullAbuseSizes, tinyAbuseSizes } from './abuse/scenarios.ts'
import { app, fullAppSizes, scrolling, tinyAppSizes } from './app/scenarios.ts'
import { client, fullClientSizes, tinyClientSizes } from './client/scenarios.ts'
import { freshClone } from './fresh-clone.ts'
import { fullHolidaySizes, generatingHolidays, tinyHolidaySizes } from './holidays/scenarios.ts'
import { importingInBrowser } from './import/browser.ts'
import { fullImportSizes, importing, tinyImportSizes } from './import/scenarios.ts'
import { closeLoad } from './load.ts'
import { fullMonthsSizes, monthsPass, tinyMonthsSizes } from './months/scenarios.ts'
import { fullPostgresSizes, postgres, tinyPostgresSizes } from './postgres/scenarios.ts'
import type { Result } from './result.ts'
import { saveResults } from './results.ts'
import { closing, compareWithReference, flatness, fullSizes, openAccount, tinySizes } from './scenarios.ts'
import { fullTeamSizes, team, tinyTeamSizes } from './team/scenarios.ts'

const isTiny = process.argv.includes('--tiny')
const oneAbuse = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined

/** The scenarios of each part, in the order in which they run. */
const parts: Record<string, readonly (() => Promise<Result[]>)[]> = {
  service: sized([compareWithReference, closing, openAccount, flatness], fullSizes, tinySizes),
  client: sized([client], fullClientSizes, tinyClientSizes),
  import: sized([importing, importingInBrowser], fullImportSizes, tinyImportSizes),
  holidays: sized([generatingHolidays], fullHolidaySizes, tinyHolidaySizes),
  app: sized([app, scrolling], fullAppSizes, tinyAppSizes),
  start: isTiny ? [] : [freshClone],
  postgres: sized(postgres, fullPostgresSizes, tinyPostgresSizes),
  months: sized([monthsPass], fullMonthsSizes, tinyMonthsSizes),
  team: sized(team, fullTeamSizes, tinyTeamSizes),
  abuse: [() => abuse(isTiny ? tinyAbuseSizes : fullAbuseSizes, oneAbuse)],
}

const asked = Object.keys(parts).filter((part) => process.argv.includes(`--${part}`))
for (const part of asked.length > 0 ? asked : Object.keys(parts)) {
  const results: Result[] = []
  for (const scenario of parts[part] ?? []) {
    for (const result of await scenario()) {
      results.push(result)
      print(result)
    }
  }
  if (!isTiny && oneAbuse === undefined) saveResults(part, results)
}
closeLoad()

function sized<Sizes>(scenarios: readonly ((sizes: Sizes) => Promise<Result[]>)[], full: Sizes, tiny: Sizes) {
  return scenarios.map((scenario) => () => scenario(isTiny ? tiny : full))
}

function print({ what, reference, saldo, ratio, target, met }: Result): void {
  const verdict = isTiny || target === '' ? '' : met ? '  met' : '  MISSED'
  const columns = [what.padEnd(66), reference.padStart(18), saldo.padStart(18), ratio.toFixed(2).padStart(7)]
  process.stdout.write(`${columns.join('  ')}  ${target.padEnd(11)}${verdict}\n`)
}
