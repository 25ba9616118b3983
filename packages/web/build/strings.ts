import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { languageOf } from './language-files.ts'

const LANGUAGES = 'virtual:languages'
const STRINGS = 'virtual:strings/'
const resolved = (id: string) => `\0${id}`

/** The strings that features keep beside them, as one module a language that is loaded when it is spoken. */
export function strings(source: string): Plugin {
  const filesOf = (language: string) => globSync(join(source, '**', `${language}.json`)).sort()
  const languages = () => [...new Set(filesOf('*').flatMap((file) => languageOf(file) ?? []))].sort()
  return {
    name: 'saldo-strings',
    resolveId: (id) => (id === LANGUAGES || id.startsWith(STRINGS) ? resolved(id) : null),
    load(id) {
      if (id === resolved(LANGUAGES)) {
        const loaders = languages().map((language) => `'${language}': () => import('${STRINGS}${language}')`)
        return `export const languages = { ${loaders.join(', ')} }`
      }
      if (!id.startsWith(resolved(STRINGS))) return null
      const files = filesOf(id.slice(resolved(STRINGS).length))
      for (const file of files) this.addWatchFile(file)
      const parts = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as object)
      return `export default ${JSON.stringify(Object.assign({}, ...parts))}`
    },
  }
}
