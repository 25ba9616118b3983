// Bundles the command and the service: half the memory and a third of the start-up time of the sources. What a command
// loads when it runs is a file of its own, and so is what several of these share.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { programFolder as folder, loadedPackages, programFiles } from './program-files.mjs'
import { programSources, root } from './setup.mjs'

const ENTRY = 'saldo.js'

/**
 * Reads Node's HTTP module as `require` does. An import reads its exports one by one, and three of these load all of
 * `fetch`, which is a fifth of the time that a command takes to start.
 */
const httpWithoutFetch = {
  name: 'http-without-fetch',
  resolveId: (id) => (id === 'node:http' ? '\0http' : undefined),
  load: (id) => (id === '\0http' ? "module.exports = process.getBuiltinModule('node:http')" : undefined),
}

/**
 * Files that commands share, few and large: each file that a command loads costs it a millisecond. The service loads
 * nothing of the client.
 */
const groups = [
  { name: 'start', tags: ['$initial'], priority: 2 },
  { name: 'core', test: /[\\/](core[\\/]src|valibot|uuid)[\\/]/, minShareCount: 2, priority: 1 },
  { name: 'client', test: /[\\/](client|cli)[\\/]src[\\/]/, minShareCount: 2 },
]

const before = existsSync(folder) ? programFiles() : []
const unfinished = join(folder, `unfinished-${process.pid}`)
mkdirSync(unfinished, { recursive: true })
const written = [...(await writeProgram()), ...copySwaggerUi()]
// Each in one step, and the entry last: another process may be starting the program.
for (const file of written.filter((name) => name !== ENTRY)) moveIn(file)
writeFileSync(join(unfinished, 'files.json'), `${JSON.stringify(written, null, 2)}\n`)
moveIn('files.json')
moveIn(ENTRY)
rmSync(unfinished, { recursive: true, force: true })
// A process that started before this build still loads the files of the one before.
const kept = new Set([...written, ...before])
for (const file of globSync('*.js', { cwd: folder })) if (!kept.has(file)) rmSync(join(folder, file), { force: true })

function moveIn(file) {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  renameSync(join(unfinished, file), join(folder, file))
}

/** Writes the program. Returns the names of its files. */
async function writeProgram() {
  const bundle = await rolldown({
    input: { saldo: join(root, 'packages/cli/src/main.ts') },
    platform: 'node',
    external: (id) => loadedPackages.some((name) => id === name || id.startsWith(`${name}/`)),
    transform: {
      define: {
        'import.meta.SALDO_BUILD': JSON.stringify(buildName()),
        'import.meta.SALDO_FIXTURES': JSON.stringify(fixtures()),
      },
    },
    onwarn(warning, warn) {
      if (warning.code === 'INEFFECTIVE_DYNAMIC_IMPORT') throw new Error(warning.message)
      if (warning.code !== 'EVAL') warn(warning)
    },
    plugins: [httpWithoutFetch],
  })
  const { output } = await bundle.write({
    dir: unfinished,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    codeSplitting: { groups },
    minify: { mangle: false, compress: false, codegen: true },
  })
  await bundle.close()
  const sources = output.flatMap(({ moduleIds = [] }) => moduleIds).filter((id) => isAbsolute(id))
  const unknown = sources.map((id) => relative(root, id)).filter((path) => !isKnown(path))
  if (unknown.length > 0) throw new Error(`add to the sources of the program: ${unknown.join(', ')}`)
  return output.map(({ fileName }) => fileName)
}

function isKnown(path) {
  return path.includes('node_modules') || programSources.some((source) => path.startsWith(source))
}

/**
 * Copies what the page of the API loads. As a dependency it would bring a package that reports each installation.
 * Returns the names of the files.
 */
function copySwaggerUi() {
  const from = dirname(
    createRequire(join(root, 'packages/server/package.json')).resolve('swagger-ui-dist/package.json'),
  )
  return ['swagger-ui.css', 'swagger-ui-bundle.js', 'NOTICE'].map((name) => {
    cpSync(join(from, name), join(unfinished, 'swagger-ui', name))
    return `swagger-ui/${name}`
  })
}

/** The version, and the commit where there is one. */
function buildName() {
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
  try {
    const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return `${version}+${commit.toString().trim()}`
  } catch {
    return version
  }
}

/** The texts of the fixtures by name: what `saldo conformance` checks by. */
function fixtures() {
  const names = globSync('*.json', { cwd: join(root, 'fixtures') })
  return Object.fromEntries(
    names.map((name) => [basename(name, '.json'), readFileSync(join(root, 'fixtures', name), 'utf8')]),
  )
}
