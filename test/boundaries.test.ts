import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

interface Manifest {
  name: string
  exports?: Record<string, string>
}

/** Returns the imports of a source file that is not a test. */
const imports = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
  .filter((file) => !file.endsWith('.test.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    const found = [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] as string)
    return found.map((target) => ({ file, target }))
  })

/** The files that import something that matches, as `file → target`. */
function importers(of: RegExp, allowed: (file: string) => boolean): string[] {
  return imports
    .filter(({ file, target }) => of.test(target) && !allowed(file))
    .map(({ file, target }) => `${file} → ${target}`)
}

const within =
  (...folders: string[]) =>
  (file: string) =>
    folders.some((folder) => file.startsWith(`packages/${folder}`))

test('core imports nothing of Node, the service or the command', () => {
  expect(importers(/^node:|^@saldo\//, within('server/', 'cli/', 'client/', 'web/', 'conformance/'))).toEqual([])
})

test('nobody imports the command or the app, and nobody reaches into another package', () => {
  expect(importers(/^saldo\b|^@saldo\/web\b/, () => false)).toEqual([])
  const entries = globSync('packages/*/package.json', { cwd: root }).flatMap((file) => {
    const { name, exports = {} } = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest
    return Object.keys(exports).map((path) => name + path.slice(1))
  })
  const inside = importers(/^@saldo\//, (file) => !file.startsWith('packages/'))
  expect(inside.length).toBeGreaterThan(100)
  expect(inside.filter((found) => !entries.includes(found.split(' → ')[1] ?? ''))).toEqual([])
  const crossing = imports.filter(({ file, target }) => {
    const [, name] = file.split('/')
    return target.startsWith('.') && !relative(root, join(root, file, '..', target)).startsWith(`packages/${name}/`)
  })
  expect(crossing).toEqual([])
})

test('the checks of the contract know services and clients from outside only', () => {
  const ofTheirs = imports.filter(({ file, target }) => within('conformance/')(file) && target.startsWith('@saldo/'))
  expect([...new Set(ofTheirs.map(({ target }) => target))]).toEqual(['@saldo/core'])
})

test('no file leads back to itself by what it imports', () => {
  const graph = new Map<string, string[]>()
  for (const { file, target } of imports) {
    if (target.startsWith('.')) graph.set(file, [...(graph.get(file) ?? []), join(file, '..', target)])
  }
  const isDone = new Set<string>()
  const circles: string[][] = []
  const follow = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file])
    if (way.includes(file) || isDone.has(file)) return
    for (const next of graph.get(file) ?? []) follow(next, [...way, file])
    isDone.add(file)
  }
  for (const file of graph.keys()) follow(file, [])
  expect(circles).toEqual([])
  expect([...graph.values()].flat().filter((file) => graph.has(file)).length).toBeGreaterThan(900)
})

test('only store/sqlite/ imports the SQLite driver, only store/postgres/ the PostgreSQL driver', () => {
  expect(importers(/^better-sqlite3$/, within('server/src/store/sqlite/'))).toEqual([])
  expect(importers(/^pg\b/, within('server/src/store/postgres/'))).toEqual([])
})

test('the client imports nothing of the service, only its Dexie store Dexie, and only store/node what Node has', () => {
  expect(importers(/^saldo\b|^@saldo\/server\b/, within('server/', 'cli/'))).toEqual([])
  expect(importers(/^dexie/, within('client/src/store/dexie/'))).toEqual([])
  const ofClient = imports.filter(({ file, target }) => within('client/')(file) && target.startsWith('node:'))
  expect(ofClient.filter(({ file }) => !within('client/src/store/node/')(file))).toEqual([])
  expect(ofClient.length).toBeGreaterThan(0)
})

test('the app, its service worker aside, knows the service through the client only', () => {
  const ofApp = imports.filter(({ file }) => within('web/')(file))
  expect(ofApp.filter(({ target }) => /^@saldo\/(server|cli)\b|^node:|^dexie/.test(target))).toEqual([])
  const files = globSync('packages/web/src/**/*.{ts,tsx}', { cwd: root }).filter(
    (file) => !/\.test\.|web\/src\/sw\.ts$/.test(file),
  )
  expect(files.filter((file) => /\bfetch\(|indexedDB/.test(readFileSync(join(root, file), 'utf8')))).toEqual([])
  expect(ofApp.length).toBeGreaterThan(0)
})

/** The layers of the app, the lowest first. A file imports from its own layer and from those before it. */
const webLayers = ['i18n', 'context', 'ui', 'domain', 'features', 'shell']

test('the app imports no layer above, and its features do not import each other', () => {
  const placeOf = (path: string) => {
    const [, layer = '', feature] = /^packages\/web\/src\/(\w+)\/([^/]+)/.exec(path) ?? []
    return { level: webLayers.indexOf(layer), feature: layer === 'features' ? feature : undefined }
  }
  const isForbidden = (from: ReturnType<typeof placeOf>, to: ReturnType<typeof placeOf>) =>
    to.level > from.level || (from.feature !== undefined && to.feature !== undefined && from.feature !== to.feature)
  const ofLayers = imports
    .filter(({ file, target }) => placeOf(file).level >= 0 && target.startsWith('.'))
    .map(({ file, target }) => ({ file, target: relative(root, join(root, file, '..', target)) }))
  expect(ofLayers.filter(({ file, target }) => isForbidden(placeOf(file), placeOf(target)))).toEqual([])
  for (const layer of webLayers) expect(existsSync(join(root, 'packages/web/src', layer))).toBe(true)
  expect(ofLayers.length).toBeGreaterThan(500)
})

test('only the store and what opens it speak SQL', () => {
  const speaksSql = /\b(SELECT\s.+\sFROM|INSERT INTO|UPDATE \w+ SET|DELETE FROM|CREATE TABLE)\b/
  const files = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
  const speaking = files.filter((file) => speaksSql.test(readFileSync(join(root, file), 'utf8')))
  expect(speaking.filter((file) => !within('server/src/store/', 'client/src/store/node/')(file))).toEqual([])
  expect(speaking.length).toBeGreaterThan(3)
})

test('only public-holidays.ts knows the library of holidays, and only what needs it loads it', () => {
  expect(importers(/^date-holidays$/, within('core/src/public-holidays.ts'))).toEqual([])
  expect(
    importers(
      /\/public-holidays(\.ts)?$/,
      within('server/src/account/jobs.ts', 'server/src/demo/reset.ts', 'web/src/'),
    ),
  ).toEqual([])
})

test('one module writes each format that others read', () => {
  expect(importers(/^papaparse$/, within('client/src/export/csv.ts', 'client/src/import/csv.ts'))).toEqual([])
  expect(
    importers(/^write-excel-file/, within('client/src/export/workbook.ts', 'client/src/export/sheet-workbook.ts')),
  ).toEqual([])
  const calendars = within('server/src/calendar/icalendar.ts', 'client/src/import/formats/ical')
  expect(importers(/^ical\.js$/, calendars)).toEqual([])
  expect(importers(/^nodemailer$/, within('server/src/mail/smtp.ts'))).toEqual([])
  const printing = globSync('packages/cli/src/**/*.ts', { cwd: root }).filter(
    (file) => /process\.std(out|err)\.write/.test(readFileSync(join(root, file), 'utf8')) && !file.endsWith('.test.ts'),
  )
  // Files of their own making, questions, progress, a script for shells and reports of checks.
  const others = ['ask.ts', 'export.ts', 'import.ts', 'program.ts', 'conformance.ts'].map((name) => `/${name}`)
  expect(printing.filter((file) => !others.some((name) => file.endsWith(name)))).toEqual(['packages/cli/src/output.ts'])
})

test('only metrics.ts knows the library of the metrics', () => {
  expect(importers(/^prom-client$/, within('server/src/metrics.ts'))).toEqual([])
})

test('only app.ts knows the router library', () => {
  expect(importers(/^find-my-way$/, within('server/src/http/app.ts'))).toEqual([])
})

test('only users/ knows the libraries of passwords and ciphers', () => {
  expect(importers(/^(@better-auth|@noble)\//, within('server/src/users/'))).toEqual([])
})

test('only env.ts and the command read the environment; only system.ts files read clock and randomness', () => {
  const readers = (pattern: RegExp, allowed: (file: string) => boolean) =>
    globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
      .filter((file) => !file.endsWith('.test.ts') && !allowed(file))
      .filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')))
  expect(readers(/process\.env/, within('server/src/env.ts', 'cli/src/system.ts'))).toEqual([])
  const isPlatform = within(
    'server/src/system.ts',
    'cli/src/system.ts',
    'client/src/host/platform.ts',
    'web/src/context/clock.ts',
  )
  expect(readers(/Date\.now\(|new Date\(\)|Math\.random|randomUUID|randomBytes/, isPlatform)).toEqual([])
})
