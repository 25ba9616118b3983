import { join } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'
import type { Files } from './proxy.ts'

const pages = join(import.meta.dirname, 'page')
const bundled = new Map<string, Promise<string>>()

/** A page at `/<name>/` that runs `page/<name>.ts` of today's sources; bundled once. */
export async function pageFiles(name: string): Promise<Files> {
  const script = bundled.get(name) ?? bundle(name)
  bundled.set(name, script)
  const html = `<!doctype html><title>${name}</title><script type="module" src="/${name}/page.js"></script>`
  return new Map([
    [`/${name}/`, { type: 'text/html; charset=utf-8', body: html }],
    [`/${name}/page.js`, { type: 'text/javascript; charset=utf-8', body: await script }],
  ])
}

async function bundle(name: string): Promise<string> {
  const built = await rolldown({ input: join(pages, `${name}.ts`), platform: 'browser', plugins: [inTheBrowser] })
  const { output } = await built.generate({ format: 'esm', codeSplitting: false })
  await built.close()
  return output[0].code
}

/** Replacements for modules that the client's own tests import and browsers lack. */
const replacements: Record<string, string> = {
  'fake-indexeddb': join(pages, 'real-indexeddb.ts'),
  'node:crypto': join(pages, 'real-crypto.ts'),
  vitest: join(pages, 'real-vitest.ts'),
}

const inTheBrowser: Plugin = {
  name: 'in-the-browser',
  resolveId: (source, importer) => (replacements[source] === importer ? null : replacements[source]),
}
