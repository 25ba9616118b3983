// Measures the client in a browser: the engine with its Dexie store, without Dexie itself and Temporal's polyfill.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { root } from './setup.mjs'

const MOST_KB = 32

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
process.stderr.write(`saldo: the client weighs ${kB.toFixed(3)} kB, of ${MOST_KB} kB that it may\n`)
if (kB > MOST_KB) process.exit(1)
