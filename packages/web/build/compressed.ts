import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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
      async handler() {
        // As after a build that failed.
        if (!existsSync(folder)) return
        const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
        // Node compresses them beside each other.
        await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map((name) => compress(join(folder, name))))
      },
    },
  }
}

async function compress(file: string): Promise<void> {
  const bytes = await readFile(file)
  if (bytes.length < LEAST_BYTES) return
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, quality))
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
}
