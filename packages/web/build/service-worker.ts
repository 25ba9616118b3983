import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build, type Plugin, type ResolvedConfig } from 'vite'

const CACHED = /\.(js|css|html|svg|png|woff2|webmanifest)$/
/** Their names carry a hash of their content. */
const HASHED = /^assets\//

/** Builds `src/sw.ts` to `sw.js` once everything else is built, with the list of all files for Workbox. */
export function serviceWorker(source: string): Plugin {
  let config: ResolvedConfig
  return {
    name: 'saldo-service-worker',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    closeBundle: {
      sequential: true,
      async handler() {
        const outDir = resolve(config.root, config.build.outDir)
        // A build that failed has written nothing, and another error would hide its cause.
        if (!existsSync(outDir)) return
        await build({
          configFile: false,
          root: config.root,
          publicDir: false,
          logLevel: config.logLevel ?? 'warn',
          define: { 'self.__WB_MANIFEST': JSON.stringify(filesIn(outDir)) },
          build: {
            outDir,
            emptyOutDir: false,
            target: config.build.target,
            reportCompressedSize: false,
            rolldownOptions: { input: source, output: { format: 'iife', entryFileNames: 'sw.js' } },
          },
        })
      },
    },
  }
}

/** Returns the files with the revisions by which Workbox sees that one has changed. */
function filesIn(folder: string): { url: string; revision: string | null }[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'))
  const revisionOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return names
    .filter((name) => CACHED.test(name))
    .sort()
    .map((url) => ({ url, revision: HASHED.test(url) ? null : revisionOf(url) }))
}
