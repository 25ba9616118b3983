// `npm run packages -- FOLDER`: writes the packages that are published into a folder, each as npm packs it, and prints
// the names of the files. Nothing is published.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { licenceTexts } from './licences.mjs'
import { loadedPackages, programFiles, programFolder } from './program-files.mjs'
import { build, environment, node, root, tool } from './setup.mjs'

/** The libraries: the folder in `packages/`, and the TypeScript projects that declare their types. */
export const libraries = [
  { folder: 'core', projects: ['packages/core'] },
  { folder: 'client', projects: ['packages/client', 'packages/client/tsconfig.node.json'] },
  { folder: 'conformance', projects: ['packages/conformance'] },
]

/**
 * Writes each package as a folder of its own below `target`, which it replaces. Sources stay TypeScript within the
 * workspace, so the published `package.json` differs from that of the sources in `exports` and dependencies.
 */
export async function writePackages(target) {
  rmSync(target, { recursive: true, force: true })
  declareTypes()
  await build()
  for (const library of libraries) await writeLibrary(library, target)
  writeCommand(target)
}

/** Compiles the declarations of all libraries into the cache of `tsc`. */
export function declareTypes() {
  const projects = libraries.flatMap(({ projects }) => projects)
  const [command, program] = tool('typescript')
  execFileSync(command, [program, '-b', ...projects], { cwd: root, env: environment(), stdio: ['ignore', 2, 2] })
}

/** Returns where `tsc` writes the declarations of a source file, given relative to `packages/`. */
export function declarationsOf(path) {
  const [folder, , ...rest] = path.split('/')
  const project = path.startsWith('client/src/store/node/') ? 'client-node' : folder
  return join(root, 'node_modules/.cache/tsc', project, ...rest).replace(/\.tsx?$/, '.d.ts')
}

async function writeLibrary({ folder }, target) {
  const source = join(root, 'packages', folder)
  const to = join(target, folder)
  const manifest = readManifest(folder)
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: source, exclude: ['**/*.test.ts'] })
  await compile(source, sources, join(to, 'dist'))
  for (const path of sources) {
    copy(join(source, path), join(to, path))
    const declared = declarationsOf(join(folder, path))
    const at = join(to, path.replace(/^src/, 'dist').replace(/\.tsx?$/, '.d.ts'))
    writeText(at, withJsImports(readFileSync(declared, 'utf8')))
    const map = JSON.parse(readFileSync(`${declared}.map`, 'utf8'))
    writeText(`${at}.map`, JSON.stringify({ ...map, sources: [relative(dirname(at), join(to, path))] }))
  }
  if (folder === 'conformance') {
    for (const file of globSync('fixtures/*.json', { cwd: root })) copy(join(root, file), join(to, file))
  }
  const exported = Object.entries(manifest.exports).map(([name, path]) => {
    const file = path.replace('./src/', './dist/').replace(/\.tsx?$/, '')
    return [name, { types: `${file}.d.ts`, default: `${file}.js` }]
  })
  writePackage(source, to, manifest, {
    sideEffects: false,
    exports: { ...Object.fromEntries(exported), './package.json': './package.json' },
    dependencies: manifest.dependencies,
  })
}

/** Compiles each source file to a file of its own, with its map. */
async function compile(source, sources, to) {
  const bundle = await rolldown({
    input: sources.map((path) => join(source, path)),
    platform: 'neutral',
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    treeshake: false,
  })
  await bundle.write({
    dir: to,
    format: 'esm',
    sourcemap: true,
    preserveModules: true,
    preserveModulesRoot: join(source, 'src'),
    entryFileNames: '[name].js',
  })
  await bundle.close()
}

/** Node and bundlers look for the files that declarations name, which are JavaScript in the package. */
function withJsImports(declarations) {
  return declarations.replace(/((?:from|import\() ?['"]\.{1,2}\/[^'"]+)\.tsx?(?=['"])/g, '$1.js')
}

function writeCommand(target) {
  const source = join(root, 'packages/cli')
  const to = join(target, 'saldo')
  copy(join(source, 'bin'), join(to, 'bin'))
  for (const file of programFiles()) copy(join(programFolder, file), join(to, 'dist', file))
  copy(join(root, 'packages/web/dist'), join(to, 'web'))
  writeText(join(to, 'THIRD-PARTY.txt'), licenceTexts())
  writeText(
    join(to, 'man/saldo.1'),
    execFileSync(node, [join(source, 'dist/saldo.js'), 'manual'], { encoding: 'utf8' }),
  )
  const manifest = readManifest('cli')
  const versions = readManifest('server').dependencies
  writePackage(source, to, manifest, {
    bin: manifest.bin,
    man: './man/saldo.1',
    dependencies: Object.fromEntries(loadedPackages.map((name) => [name, versions[name]])),
  })
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
}

/**
 * Returns the repository that a hosted workflow runs for, in the form of a manifest; elsewhere `undefined`. npm
 * publishes with provenance only if both name one repository, and the sources do not know where they are hosted.
 */
export function repositoryOf({ GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: path }) {
  return server && path ? { type: 'git', url: `git+${server}/${path}.git` } : undefined
}

/** Writes `package.json`, README and licence of a package. */
function writePackage(source, to, manifest, fields) {
  const { name, version, description, keywords, license, type, engines, files, peerDependencies } = manifest
  const { peerDependenciesMeta } = manifest
  const repository = repositoryOf(process.env)
  const all = { name, version, description, keywords, license, repository, type, engines, files, ...fields }
  writeText(
    join(to, 'package.json'),
    `${JSON.stringify({ ...all, peerDependencies, peerDependenciesMeta }, null, 2)}\n`,
  )
  copy(join(source, 'README.md'), join(to, 'README.md'))
  copy(join(root, 'LICENSE'), join(to, 'LICENSE'))
}

function copy(from, to) {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}

function writeText(path, text) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

/** Packs the folders below `folder` beside them. Returns the paths of the files by the names of the packages. */
export function packAll(folder) {
  const folders = [...libraries.map((library) => library.folder), 'saldo'].map((name) => join(folder, name))
  const args = ['pack', ...folders, '--json', '--pack-destination', folder, '--loglevel=error']
  const packed = JSON.parse(execFileSync('npm', args, { cwd: folder, encoding: 'utf8', env: environment() }))
  return Object.fromEntries(packed.map(({ name, filename }) => [name, join(folder, filename)]))
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2)
  if (!folder) throw new Error('usage: npm run packages -- FOLDER')
  const target = resolve(folder)
  await writePackages(target)
  for (const file of Object.values(packAll(target))) process.stdout.write(`${relative(process.cwd(), file)}\n`)
}
