// Measures the client in a browser: the engine with its Dexie store, without Dexie itself and Temporal's polyfill.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { root } from './setup.mjs'

/** A read checks in its transaction that what is cached is current, and live queries have a current result. */
const BUDGET_KB = 33
/** The recorded size. It may grow by the tolerance; whoever makes the client smaller lowers the record. */
const RECORDED_KB = 32.0
const TOLERANCE_KB = 0.3

const entry = 'size-of-client'
const source = "export { openSaldo } from '@saldo/client'\nexport { dexieStore } from '@saldo/client/dexie'\n"
const bundle = await rolldown({
  input: entry,
  cwd: root,
  platform: 'browser',
  external: ['dexie', /^temporal-polyfill/],
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
const kB = gzipSync(output[0].code).byteLength / 1_000
process.stderr.write(
  `saldo: the client weighs ${kB.toFixed(3)} kB (record ${RECORDED_KB} kB, budget ${BUDGET_KB} kB)\n`,
)
const limitKb = Math.min(BUDGET_KB, RECORDED_KB + TOLERANCE_KB)
if (kB > limitKb) {
  process.stderr.write(
    `saldo: the client may weigh ${limitKb} kB. Make it smaller, or raise RECORDED_KB with a reason.\n`,
  )
  process.exit(1)
}
if (kB < RECORDED_KB - TOLERANCE_KB) {
  process.stderr.write(`saldo: the client has become smaller. Lower RECORDED_KB to ${kB.toFixed(1)}.\n`)
  process.exit(1)
}
