// Builds the program and the app, and runs the project's tools.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { fail, isStamped, node, requireWorkingInstallation, root, say, stamp } from './install.mjs'

export { fail, install, installToServe, node, root } from './install.mjs'

const common = ['packages/core/src', 'scripts', 'package-lock.json']
const web = 'packages/web'

/** The sources of the program. Its build fails if it reads others, since it would not see that they change. */
export const programSources = [
  ...common,
  'packages/server/src',
  'packages/client/src',
  'packages/conformance/src',
  'packages/cli/src',
  'fixtures',
]

/** Builds the program and the app, beside each other, if their sources have changed. */
export async function build() {
  const program = buildPart('build', 'packages/cli/dist/saldo.js', 'scripts/bundle.mjs', programSources)
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
  const part = result.split('/')[1]
  say(`building ${part}`)
  const [status, signal] = await once(spawn(node, [join(root, script)], ofProject()), 'exit')
  if (status !== 0) {
    requireWorkingInstallation()
    fail(`building ${part} failed${signal ? `: it was ended by ${signal}` : ''}`)
  }
  stamp(name, hash)
}

/**
 * Returns the command that runs a tool of the project and its first argument: the program of a package, run by Node.
 * What npm puts on the path is a shell script on Windows, which only a shell can run.
 */
export function tool(packageName) {
  const folder = join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return [node, join(folder, Object.values(bin)[0])]
}

/** Runs a command in the project's folder, with the project's tools first on the path. Exits if it fails. */
export function run(command, args, options = {}) {
  const { status, signal, error } = spawnSync(command, args, { ...ofProject(), ...options })
  if (error) fail(`${command} cannot be run: ${error.code}`)
  if (signal) fail(`${command} was ended by ${signal}`)
  if (status !== 0) process.exit(status ?? 1)
}

/** Options of commands in the project's folder. What they print goes to the standard error output. */
const ofProject = () => ({ cwd: root, stdio: ['inherit', 2, 2], env: environment() })

/** Returns an environment whose path begins with the project's Node and tools. */
export function environment() {
  return { ...process.env, PATH: [dirname(node), join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) }
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
