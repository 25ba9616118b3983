import type { Plugin } from 'vite'

const ZIP = '\0saldo-zip'

/**
 * Gives the library of workbooks a `zip` that works in the page. That of fflate starts workers from text for files
 * above 320 kB, which the app's Content Security Policy forbids.
 */
export function syncZip(): Plugin {
  return {
    name: 'saldo-sync-zip',
    enforce: 'pre',
    resolveId: (id, importer) => (id === 'fflate' && importer?.includes('write-excel-file') ? ZIP : null),
    load(id) {
      if (id !== ZIP) return null
      return [
        "import { zipSync } from 'fflate'",
        "export * from 'fflate'",
        'export const zip = (files, done) => done(null, zipSync(files))',
      ].join('\n')
    },
  }
}
