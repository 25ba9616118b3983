// Bundles the command and the service: half the memory and a third of the start-up time of the sources.
import { execFileSync } from 'node:child_process'
import { cpSync, globSync, readFileSync, renameSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './setup.mjs'

/** Files that are loaded when they are first used, by their source: each byte of the program's file takes memory. */
const loadedLater = {
  'webauthn.js': join(root, 'packages/server/src/users/webauthn.ts'),
  'openid-client.js': join(root, 'packages/server/src/users/openid-client.ts'),
  'smtp.js': join(root, 'packages/server/src/mail/smtp.ts'),
  'holidays.js': join(root, 'packages/core/src/public-holidays.ts'),
  'conformance.js': join(root, 'packages/conformance/src/index.ts'),
  'import.js': join(root, 'packages/cli/src/import-run.ts'),
  'mcp.js': join(root, 'packages/cli/src/mcp-run.ts'),
  'export.js': join(root, 'packages/cli/src/export-run.ts'),
  'service.js': join(root, 'packages/cli/src/service.ts'),
  'user.js': join(root, 'packages/cli/src/user/actions.ts'),
}

/**
 * Reads Node's HTTP module as `require` does. An import reads its exports one by one, and three of these load all of
 * `fetch`, which is a fifth of the time that a command takes to start.
 */
const httpWithoutFetch = {
  name: 'http-without-fetch',
  resolveId: (id) => (id === 'node:http' ? '\0http' : undefined),
  load: (id) => (id === '\0http' ? "module.exports = process.getBuiltinModule('node:http')" : undefined),
}

/** Matches an import of the project's own sources, and of other files in a package. */
const OWN = /^(\.|@saldo\/)/

/** Leaves the files that are loaded later out of a bundle. */
const leftOut = {
  name: 'loaded-later',
  resolveId: {
    filter: { id: OWN },
    async handler(id, importer) {
      const found = importer && (await this.resolve(id, importer, { skipSelf: true }))
      const later = Object.entries(loadedLater).find(([, source]) => source === found?.id)
      return later && { id: `./${later[0]}`, external: true }
    },
  },
}

for (const [name, input] of Object.entries(loadedLater)) await write(name, input)
await write('saldo.js', join(root, 'packages/cli/src/main.ts'))
copySwaggerUi()

/** Writes a bundle into the program's folder. */
async function write(name, input) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    // A native addon, and what is needed on an old Node only.
    external: ['better-sqlite3', 'temporal-polyfill/global'],
    transform: {
      define: {
        'import.meta.SALDO_BUILD': JSON.stringify(buildName()),
        'import.meta.SALDO_FIXTURES': JSON.stringify(fixtures()),
      },
    },
    onwarn(warning, warn) {
      if (warning.code !== 'EVAL') warn(warning)
    },
    plugins: [httpWithoutFetch, leftOut],
  })
  const folder = join(root, 'packages/cli/dist')
  const unfinished = join(folder, `unfinished-${process.pid}.js`)
  const { output } = await bundle.write({
    file: unfinished,
    format: 'esm',
    codeSplitting: false,
    minify: { mangle: false, compress: false, codegen: true },
  })
  await bundle.close()
  // In one step: another process may be starting it.
  renameSync(unfinished, join(folder, name))
  const tooEarly = output[0].imports.filter((path) => path.replace('./', '') in loadedLater)
  if (tooEarly.length > 0) throw new Error(`${name} imports ${tooEarly.join(', ')} when it starts`)
}

/** Copies what the page of the API loads. As a dependency it would bring a package that reports each installation. */
function copySwaggerUi() {
  const from = dirname(
    createRequire(join(root, 'packages/server/package.json')).resolve('swagger-ui-dist/package.json'),
  )
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'NOTICE']) {
    cpSync(join(from, name), join(root, 'packages/cli/dist/swagger-ui', name))
  }
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
