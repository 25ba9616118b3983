// Runs on Node 18 or later, because it installs the pinned Node.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const stamps = join(root, 'node_modules', '.cache', 'saldo')

const isWindows = process.platform === 'win32'
const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64'
const nodePackage = `node${isAppleSilicon ? '-bin' : ''}-${isWindows ? 'win' : process.platform}-${process.arch}`

/** The pinned Node, which runs everything but these scripts. */
export const node = join(root, 'node_modules', nodePackage, 'bin', isWindows ? 'node.exe' : 'node')

/**
 * Installs what building and serving need, which are the `dependencies` of the workspace and its packages, if they are
 * missing or the lock file has changed.
 */
export function installToServe() {
  if (!isInstalled('all') && !isInstalled('to-serve')) ci('to-serve', ['--omit=dev'])
}

/** Installs all dependencies, those of tests and checks too, if they are missing or the lock file has changed. */
export function install() {
  if (!isInstalled('all')) ci('all', [])
}

/** Installs the tools of the documentation site, which are no part of the workspace, as `install()` does its own. */
export function installSite() {
  const cwd = join(root, 'docs', 'site')
  const hash = hashOf([join(cwd, 'package-lock.json')])
  if (existsSync(join(cwd, 'node_modules')) && isStamped('install-site', hash)) return
  npmCi([], { cwd })
  stamp('install-site', hash)
}

function ci(what, options) {
  npmCi(options)
  if (!existsSync(node)) fail(`there is no ${nodePackage} among the optional dependencies of package.json`)
  stamp(`install-${what}`, lockHash())
}

const npm = isWindows ? 'npm.cmd' : 'npm'

function npmCi(args, options = {}) {
  say('installing what is missing')
  const command = ['ci', ...args, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const folder = options.cwd ?? root
  // npm prefers this file to the lock file.
  const addressed = join(folder, 'npm-shrinkwrap.json')
  writeFileSync(addressed, lockWithAddresses(folder))
  const { status } = spawnSync(npm, command, { ...ofProject(), ...options })
  rmSync(addressed)
  // A registry may have its packages at other addresses.
  if (status !== 0) run(npm, command, options)
}

/**
 * Returns a lock file with the address of each package. The one in the repository names no registry, and npm would ask
 * the registry about each package, which takes a third of the time.
 */
function lockWithAddresses(folder) {
  const { stdout } = spawnSync(npm, ['config', 'get', 'registry'], { cwd: folder, encoding: 'utf8' })
  const registry = stdout.trim().replace(/\/*$/, '/')
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  for (const [path, entry] of Object.entries(lock.packages)) {
    if (!entry.integrity) continue
    const name = entry.name ?? path.split('node_modules/').at(-1)
    entry.resolved = `${registry}${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
  }
  return JSON.stringify(lock)
}

function isInstalled(what) {
  return existsSync(node) && isStamped(`install-${what}`, lockHash())
}

function lockHash() {
  return hashOf([join(root, 'package-lock.json')])
}

const common = ['packages/core/src', 'scripts', 'package-lock.json']
const web = 'packages/web'

/** Builds the program and the app, beside each other, if their sources have changed. */
export async function build() {
  const program = buildPart('build', 'packages/cli/dist/saldo.js', 'scripts/bundle.mjs', [
    ...common,
    'packages/server/src',
    'packages/client/src',
    'packages/conformance/src',
    'packages/cli/src',
    'fixtures',
  ])
  const app = buildPart('build-web', `${web}/dist/index.html`, 'scripts/bundle-web.mjs', [
    ...common,
    'packages/client/src',
    ...['src', 'public', 'build', 'index.html', 'vite.config.ts', 'package.json'].map((path) => `${web}/${path}`),
  ])
  await Promise.all([program, app])
}

async function buildPart(name, result, script, sources) {
  const hash = hashOf(sources.map((path) => join(root, path)))
  if (existsSync(join(root, result)) && isStamped(name, hash)) return
  say(`building ${result.split('/')[1]}`)
  const [status] = await once(spawn(node, [join(root, script)], ofProject()), 'exit')
  if (status !== 0) process.exit(status ?? 1)
  stamp(name, hash)
}

/** Runs a command in the project's folder, with the project's tools first on the path. Exits if it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { ...ofProject(), ...options })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}

/** Options of commands in the project's folder. What they print goes to the standard error output. */
const ofProject = () => ({ cwd: root, stdio: ['inherit', 2, 2], env: environment() })

/** Returns an environment whose path begins with the project's Node and tools. */
export function environment() {
  const path = [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH]
  return { ...process.env, PATH: path.join(isWindows ? ';' : ':') }
}

function say(message) {
  process.stderr.write(`saldo: ${message} …\n`)
}

function fail(message) {
  process.stderr.write(`saldo: ${message}\n`)
  process.exit(1)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesIn)) hash.update(relative(root, path)).update(readFileSync(path))
  return hash.digest('hex')
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)))
}

function isStamped(name, value) {
  const file = join(stamps, name)
  return existsSync(file) && readFileSync(file, 'utf8') === value
}

function stamp(name, value) {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, name), value)
}
