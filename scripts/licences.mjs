// The licences of the libraries that the command, the service and the app bundle.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './setup.mjs'

const bundled = ['cli', 'server', 'client', 'core', 'conformance', 'web']
/** They build the app and are not part of it. */
const builders = ['vite', '@vitejs/plugin-react', 'marked']

/** Returns the texts of the licences of all bundled libraries, each below the names of those that it is for. */
export function licenceTexts() {
  const librariesByText = new Map()
  for (const folder of bundledFolders()) {
    const { name, version, license } = readManifest(folder)
    const text = licenceOf(folder) ?? `Licence: ${license}`
    librariesByText.set(text, [...(librariesByText.get(text) ?? []), `${name} ${version}`])
  }
  return [...librariesByText]
    .map(([text, names]) => `${names.sort().join(', ')}\n\n${text}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/** Returns the folders of the dependencies of the bundled packages, of theirs, and so on. */
function bundledFolders() {
  const found = new Set()
  const add = (from) => {
    for (const name of Object.keys(readManifest(from).dependencies ?? {})) {
      if (name.startsWith('@saldo/') || builders.includes(name)) continue
      const folder = installed(name, from)
      if (found.has(folder)) continue
      found.add(folder)
      add(folder)
    }
  }
  for (const name of bundled) add(join(root, 'packages', name))
  return [...found].sort()
}

/** Returns the folder of a package as a package in `from` finds it. */
function installed(name, from) {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return folder
  if (from === root) throw new Error(`${name} is not installed`)
  return installed(name, dirname(from))
}

function licenceOf(folder) {
  const [file] = globSync('{licen[cs]e,LICEN[CS]E,Licen[cs]e,COPYING}{,.md,.txt,-MIT}', { cwd: folder }).sort()
  return file && readFileSync(join(folder, file), 'utf8').trim()
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}
