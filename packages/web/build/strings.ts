import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { languageOf } from './language-files.ts'

const LANGUAGES = 'virtual:languages'
const STRINGS = 'virtual:strings/'
const resolved = (id: string) => `\0${id}`

/** The code that is loaded with all strings; what else there is has its strings from the start. */
const later = [
  ...['account', 'calendar', 'help', 'import-export', 'projects', 'reports', 'schedule', 'search', 'settings'],
  ...['team', 'user-accounts', 'week', 'palette/(?!PaletteKey)'],
].map((feature) => new RegExp(`^features/${feature}`))
const LATER_ALONE = /^domain\/(settings-sections|sheet\/|team\/)/

const parts = ['first', 'later'] as const
type Part = (typeof parts)[number]

/** Returns the part of the strings that a file in `src` has, or needs. */
export function partOf(file: string): Part {
  const path = file.replaceAll('\\', '/')
  return [...later, LATER_ALONE].some((code) => code.test(path)) ? 'later' : 'first'
}

/** The strings that features keep beside them, as two modules a language that are loaded when it is spoken. */
export function strings(source: string): Plugin {
  const filesOf = (language: string) => globSync(join('**', `${language}.json`), { cwd: source }).sort()
  const languages = () => [...new Set(filesOf('*').flatMap((file) => languageOf(file) ?? []))].sort()
  return {
    name: 'saldo-strings',
    resolveId: (id) => (id === LANGUAGES || id.startsWith(STRINGS) ? resolved(id) : null),
    load(id) {
      if (id === resolved(LANGUAGES)) {
        const loaderOf = (language: string) => (part: Part) => `${part}: () => import('${STRINGS}${language}/${part}')`
        const loaders = languages().map((language) => `'${language}': { ${parts.map(loaderOf(language)).join(', ')} }`)
        return `export const languages = { ${loaders.join(', ')} }`
      }
      if (!id.startsWith(resolved(STRINGS))) return null
      const [language = '', part] = id.slice(resolved(STRINGS).length).split('/')
      const files = filesOf(language).filter((file) => partOf(file) === part)
      for (const file of files) this.addWatchFile(join(source, file))
      const trees = files.map((file) => JSON.parse(readFileSync(join(source, file), 'utf8')) as Tree)
      return `export default ${JSON.stringify(trees.reduce(merged, {}))}`
    },
  }
}

interface Tree {
  [key: string]: string | Tree
}

/** A key such as `week` can have strings of the view and one of the navigation, in files of their own. */
function merged(one: Tree, other: Tree): Tree {
  const both = { ...one }
  for (const [key, value] of Object.entries(other)) {
    const before = both[key]
    both[key] = typeof before === 'object' && typeof value === 'object' ? merged(before, value) : value
  }
  return both
}
