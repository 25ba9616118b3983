// Measures what each entry of the libraries weighs in a browser, minified and compressed, without large libraries of
// others.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { root } from './setup.mjs'

/** The engine with its Dexie store: what every app carries. */
const CLIENT = 'the client with its Dexie store'
/** A read checks in its transaction that what is cached is current; input of many values is checked up to one error. */
const CLIENT_BUDGET_KB = 35.3
/** The recorded size. It may grow by the tolerance; whoever makes the client smaller lowers the record. */
const CLIENT_RECORDED_KB = 35.2
const TOLERANCE_KB = 0.3

/** Libraries that a program loads when it needs them, or that it may have anyway. */
const othersLarge = [/^(date-holidays|dexie|fflate|ical\.js|papaparse|react|temporal-polyfill|write-excel-file)\b/]

/** Budgets of the entries in kB. An entry that needs more raises its budget, with a reason in the commit. */
const budgets = {
  '@saldo/core': 38,
  '@saldo/core/public-holidays': 2,
  '@saldo/client': 32.7,
  '@saldo/client/account': 9,
  '@saldo/client/user-accounts': 3,
  '@saldo/client/dexie': 13,
  '@saldo/client/entries': 40,
  '@saldo/client/export': 15,
  '@saldo/client/import': 50.5,
  '@saldo/client/react': 8,
  '@saldo/client/reading': 12.3,
  '@saldo/client/team': 3.25,
  '@saldo/client/testing': 2,
  '@saldo/client/webhooks': 3,
}

const failures = []
const clientKb = await weigh(
  "export { openSaldo } from '@saldo/client'\nexport { dexieStore } from '@saldo/client/dexie'\n",
)
process.stderr.write(
  `saldo: ${CLIENT} weighs ${clientKb.toFixed(3)} kB (record ${CLIENT_RECORDED_KB} kB, budget ${CLIENT_BUDGET_KB} kB)\n`,
)
const limitKb = Math.min(CLIENT_BUDGET_KB, CLIENT_RECORDED_KB + TOLERANCE_KB)
if (clientKb > limitKb) failures.push(`${CLIENT} may weigh ${limitKb} kB. Make it smaller, or raise the record.`)
if (clientKb < CLIENT_RECORDED_KB - TOLERANCE_KB) {
  failures.push(`${CLIENT} has become smaller. Lower CLIENT_RECORDED_KB to ${clientKb.toFixed(1)}.`)
}
for (const entry of entriesForBrowsers()) {
  const kB = await weigh(`export * from '${entry}'\n`)
  if (process.argv.includes('--all')) process.stderr.write(`saldo: ${entry} weighs ${kB.toFixed(3)} kB\n`)
  if (!(kB <= budgets[entry])) failures.push(`${entry} weighs ${kB.toFixed(1)} kB, its budget is ${budgets[entry]} kB.`)
}
for (const failure of failures) process.stderr.write(`saldo: ${failure}\n`)
if (failures.length > 0) process.exit(1)

/** Returns the names of all entries but those for Node. */
function entriesForBrowsers() {
  return globSync('packages/{core,client}/package.json', { cwd: root }).flatMap((file) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, file), 'utf8'))
    return Object.keys(exports)
      .map((path) => name + path.slice(1))
      .filter((entry) => entry !== '@saldo/client/node')
  })
}

/** Returns the size of a bundle of a source text, in kB. */
async function weigh(source) {
  const entry = 'size-of-entry'
  const bundle = await rolldown({
    input: entry,
    cwd: root,
    platform: 'browser',
    external: othersLarge,
    plugins: [
      {
        name: entry,
        resolveId: (id) => (id === entry ? join(root, 'packages/web', entry) : undefined),
        load: (id) => (id.endsWith(entry) ? source : undefined),
      },
    ],
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false, codeSplitting: false })
  await bundle.close()
  return gzipSync(output[0].code).byteLength / 1_000
}
