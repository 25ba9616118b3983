import importer from '../features/import-export/import/importer.worker.ts?worker&url'

/** Not in the DOM's types yet. */
interface TrustedTypes {
  createPolicy(name: string, rules: Record<'createHTML' | 'createScriptURL', (text: string) => string | null>): unknown
}

/** The scripts that run beside the page: the service worker and the worker of the import. */
const workers = ['/sw.js', importer]

/**
 * The one place where text may become markup or the address of a script, in browsers that ask: style sheets, which
 * the component
 * library writes into the page and which contain no tags, and the workers. Anything else is refused, and throws.
 */
export function guardMarkup(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  trustedTypes?.createPolicy('default', {
    createHTML: (text) => (text.includes('<') ? null : text),
    createScriptURL: (url) => (workers.includes(url) ? url : null),
  })
}
