import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const COMPRESSIBLE = /\.(js|css|html|svg|webmanifest)$/
const LEAST_BYTES = 1_024
/** The highest quality, 11, takes more than twice as long for two per cent. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 10 } }

/** Writes `.br` and `.gz` beside what was built, once all of it is, so that the service compresses nothing itself. */
export function compressed(): Plugin {
  let folder = ''
  return {
    name: 'saldo-compressed',
    apply: 'build',
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler() {
        for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
          if (!COMPRESSIBLE.test(name)) continue
          const file = join(folder, name)
          const bytes = readFileSync(file)
          if (bytes.length < LEAST_BYTES) continue
          writeFileSync(`${file}.br`, brotliCompressSync(bytes, quality))
          writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
        }
      },
    },
  }
}
