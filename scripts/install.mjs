// Installs the dependencies by whatever npm there is. It runs on Node 18 or later, because it installs the pinned Node.
import './node-version.mjs'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs, { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

const stamps = join(root, 'node_modules', '.cache', 'saldo')
/** Holds the pinned Node while it runs npm, which replaces `node_modules`. */
const firstNode = join(root, '.first-node')

const isWindows = process.platform === 'win32'
const isAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64'
const nodePackage = `node${isAppleSilicon ? '-bin' : ''}-${isWindows ? 'win' : process.platform}-${process.arch}`
const nodeBelow = (folder) => join(folder, 'node_modules', nodePackage, 'bin', isWindows ? 'node.exe' : 'node')

/** The pinned Node, which runs everything but these scripts. */
export const node = nodeBelow(root)

/** The oldest minor version, by major one, that fits the `engines` of all optional dependencies; all from 24 on do. */
const OLDEST_FOR_NPM = { 20: 19, 22: 13 }
/** Less room than this, in bytes, is what a full disk leaves. */
const FULL_BELOW = 64_000_000
/** The longest time that the registry may take to answer at all, in milliseconds. */
const ANSWER_MS = 10_000

/**
 * Installs what building and serving need, which are the `dependencies` of the workspace and its packages, if they are
 * missing or the lock file has changed. Exits with one line that says what to do if it cannot.
 */
export function installToServe() {
  if (!isInstalled('all') && !isInstalled('to-serve')) ci('to-serve', ['--omit=dev'])
}

/** Installs all dependencies, those of tests and checks too, as `installToServe` does some. */
export function install() {
  if (!isInstalled('all')) ci('all', [])
}

/** Exits if the installed binaries cannot be loaded, as after a full disk: then the next run installs again. */
export function requireWorkingInstallation() {
  const fault = faultOf(isInstalled('all') ? 'all' : 'to-serve')
  if (fault === undefined) return
  for (const what of ['all', 'to-serve']) rmSync(join(stamps, `install-${what}`), { force: true })
  fail(`${fault}; run the same command again to install anew`)
}

function isInstalled(what) {
  return existsSync(node) && isStamped(`install-${what}`, lockHash())
}

const lockHash = () => hashOfFile(join(root, 'package-lock.json'))

function ci(what, options) {
  say('installing what is missing')
  requireWritable()
  requireRegistry()
  npmCi(options, { by: fitsDependencies(process.versions.node) ? process.execPath : installFirstNode() })
  const fault = faultOf(what)
  // Only what works is stamped: the next run repairs the rest.
  if (fault !== undefined) fail(fault)
  stamp(`install-${what}`, lockHash())
}

/** True if npm on this Node installs everything: it leaves out optional packages whose `engines` do not fit. */
function fitsDependencies(version) {
  const [major, minor] = version.split('.').map(Number)
  return major >= 24 || minor >= OLDEST_FOR_NPM[major]
}

function requireWritable() {
  try {
    mkdirSync(stamps, { recursive: true })
    writeFileSync(join(stamps, 'writable'), '')
  } catch (error) {
    if (error.code === 'ENOSPC') fail(fullDisk())
    fail(`this folder cannot be written (${error.code}): run it as the user who owns the folder, on a writable disk`)
  }
}

/** Asks the registry for one version. npm itself repeats failed requests for minutes. */
function requireRegistry() {
  const version = lock(root).packages[`node_modules/${nodePackage}`]?.version
  if (version === undefined) fail(`there is no Node for ${process.platform} on ${process.arch} among the dependencies`)
  const limits = ['--fetch-retries=0', `--fetch-timeout=${ANSWER_MS}`, '--loglevel=error']
  const { status, output } = npm(['view', `${nodePackage}@${version}`, 'version', ...limits], { by: process.execPath })
  if (status !== 0) fail(causeOf(output))
}

/** Installs the pinned Node alone, below a folder of its own. Returns its path. */
function installFirstNode() {
  const path = `node_modules/${nodePackage}`
  const { [path]: entry } = lock(root).packages
  const dependencies = { [nodePackage]: entry.version }
  const { optional: _optional, ...required } = entry
  const remove = () => rmSync(firstNode, { recursive: true, force: true })
  remove()
  process.on('exit', remove)
  mkdirSync(firstNode)
  writeFileSync(join(firstNode, 'package.json'), JSON.stringify({ private: true, dependencies }))
  const packages = { '': { dependencies }, [path]: required }
  writeFileSync(join(firstNode, 'package-lock.json'), JSON.stringify({ lockfileVersion: 3, requires: true, packages }))
  npmCi([], { cwd: firstNode, by: process.execPath })
  const found = nodeBelow(firstNode)
  const fault = faultOfNode(found)
  if (fault !== undefined) fail(fault)
  return found
}

/** Installs a lock file's packages. Exits with the cause if npm fails. */
function npmCi(args, { cwd = root, by }) {
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-engine-strict', '--loglevel=error']
  const command = ['ci', ...args, ...quietly]
  // npm prefers this file to the lock file.
  const addressed = join(cwd, 'npm-shrinkwrap.json')
  let result
  try {
    writeFileSync(addressed, lockWithAddresses(cwd))
    result = npm(command, { cwd, by })
  } finally {
    rmSync(addressed, { force: true })
  }
  // A registry may have its packages at other addresses.
  if (/\bE40[0-9]\b/.test(result.output)) result = npm(command, { cwd, by })
  if (result.status !== 0) fail(causeOf(result.output, result.signal))
}

/**
 * Returns a lock file with the address of each package. The one in the repository names no registry, and npm would ask
 * the registry about each package, which takes a third of the time.
 */
function lockWithAddresses(folder) {
  const registry = npm(['config', 'get', 'registry'], { cwd: folder, by: process.execPath }).stdout.trim()
  const addressed = lock(folder)
  for (const [path, entry] of Object.entries(addressed.packages)) {
    if (!entry.integrity) continue
    const name = entry.name ?? path.split('node_modules/').at(-1)
    entry.resolved = `${registry.replace(/\/*$/, '/')}${name}/-/${name.split('/').at(-1)}-${entry.version}.tgz`
  }
  return JSON.stringify(addressed)
}

const lock = (folder) => JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))

/** Runs npm by a Node. Returns its exit and what it printed, errors in `output`. */
function npm(args, { cwd = root, by }) {
  // Set by npm for the scripts that it runs. Without it, npm's own first line looks for Node on the path.
  const cli = process.env.npm_execpath
  const [command, ...rest] = cli?.endsWith('npm-cli.js') ? [by, cli, ...args] : [isWindows ? 'npm.cmd' : 'npm', ...args]
  const { status, signal, error, stdout, stderr } = spawnSync(command, rest, {
    cwd,
    env: { ...process.env, PATH: [dirname(by), process.env.PATH].join(delimiter) },
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    shell: command.endsWith('.cmd'),
  })
  return {
    status,
    signal,
    stdout: stdout ?? '',
    output: error ? String(error) : `${stderr}${status === 0 ? '' : stdout}`,
  }
}

const causes = [
  [
    /\b(\w*SELF_SIGNED_CERT\w*|UNABLE_TO_\w*(?:CERT|SIGNATURE)\w*|CERT_\w+)\b/,
    'the certificate of the npm registry is not trusted: behind a company CA, set NODE_EXTRA_CA_CERTS to its file',
  ],
  [
    /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/,
    'the npm registry cannot be reached: check the network, or the proxy and registry that npm is configured with',
  ],
  [
    /\b(EACCES|EPERM|EROFS)\b/,
    'npm cannot write: run it as the user who owns this folder and the folder of npm’s cache',
  ],
]

/** Returns in one line why npm failed, and what to do. */
function causeOf(output, signal) {
  if (/\bENOSPC\b/.test(output) || isDiskFull()) return fullDisk()
  for (const [pattern, advice] of causes) {
    const [code] = pattern.exec(output) ?? []
    if (code) return `${advice} (${code})`
  }
  if (signal) return `npm was ended by ${signal}${signal === 'SIGKILL' ? ': the memory may be too small' : ''}`
  const lines = output.split('\n').map((line) => line.replace(/^npm (?:ERR!|error) ?/, '').trim())
  return `npm failed: ${lines.find((line) => line !== '' && !line.startsWith('code ')) ?? 'it says nothing'}`
}

function isDiskFull() {
  // Not there before Node 18.15, whose import by name would fail.
  const room = fs.statfsSync?.(root)
  return room !== undefined && room.bavail * room.bsize < FULL_BELOW
}

const fullDisk = () => 'the disk is full: 1 GB of room is enough for all dependencies and builds'

/** Returns in one line why an installation does not work, `undefined` if it does. */
function faultOf(what) {
  const fault = faultOfNode(node)
  if (fault !== undefined) return fault
  const args = [join(root, 'scripts/check-install.mjs'), what]
  const { status, signal, stderr } = spawnSync(node, args, { cwd: root, encoding: 'utf8' })
  if (status === 0) return undefined
  const line = stderr.split('\n').find((each) => /^\S*Error\b/.test(each)) ?? signal ?? `exit code ${status}`
  return isDiskFull() ? fullDisk() : `the installation is incomplete: ${line}`
}

function faultOfNode(path) {
  if (!existsSync(path)) return isDiskFull() ? fullDisk() : `npm did not install ${nodePackage}`
  const { status, stderr, signal, error } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  if (status === 0) return undefined
  const [, library] = /shared libraries: ([^:\s]+)/.exec(stderr ?? '') ?? []
  if (library === 'libatomic.so.1') {
    return 'Node needs the library libatomic.so.1: on Debian and Ubuntu, run "apt-get install libatomic1"'
  }
  if (library) return `Node needs the library ${library}, which this system does not have`
  if (isDiskFull()) return fullDisk()
  const reason = error?.code ?? signal ?? status
  return `the installed Node does not start (${reason}), as after a full disk: run the same command again to repair it`
}

/** Prints what happens. */
export function say(message) {
  process.stderr.write(`saldo: ${message} …\n`)
}

/** Prints why it does not go on, and exits. */
export function fail(message) {
  process.stderr.write(`saldo: ${message}\n`)
  process.exit(1)
}

function hashOfFile(path) {
  return createHash('sha256').update(readFileSync(path)).digest('hex')
}

/** True if what the name stands for was made from inputs with this hash. */
export function isStamped(name, hash) {
  const file = join(stamps, name)
  return existsSync(file) && readFileSync(file, 'utf8') === hash
}

/** Notes that what the name stands for was made from inputs with this hash. */
export function stamp(name, hash) {
  mkdirSync(stamps, { recursive: true })
  writeFileSync(join(stamps, name), hash)
}
