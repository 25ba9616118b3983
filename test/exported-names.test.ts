import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Exported names that two files declare, each with the reason why it is one meaning. */
const shared: Record<string, string> = {
  ChangeNotifications: 'the service sends what the client receives',
  Webhooks: 'the client asks for what the service has',
  UserAccounts: 'the client asks for what the service has',
  pullChecks: 'the same rules, checked against a client and against a service',
  systemClock: 'the clock of a device, and that of a service',
  systemRandom: 'the chance of a device, and that of a service',
  tablesOf: 'the same tables in IndexedDB and in SQLite',
  schema: 'the same tables in IndexedDB and in SQLite',
  countChanges: 'the same tables in IndexedDB and in SQLite',
  translated: 'the same errors from PostgreSQL and from SQLite',
}

/** The files that declare each exported name. Frozen migrations keep the names of their time. */
function declarations(): Map<string, string[]> {
  const files = execFileSync('git', ['ls-files', 'packages/*/src/*.ts', 'packages/*/src/*.tsx'], { cwd: root })
  const filesByName = new Map<string, string[]>()
  for (const file of files.toString().split('\n')) {
    if (file === '' || /\.test\.|\/migrations\//.test(file)) continue
    const source = readFileSync(join(root, file), 'utf8')
    const exported = /^export (?:default )?(?:async )?(?:abstract )?(?:type|interface|class|function|const) (\w+)/gm
    // A schema and the type of its values share a name.
    for (const name of new Set([...source.matchAll(exported)].map((match) => match[1] ?? ''))) {
      filesByName.set(name, [...(filesByName.get(name) ?? []), file])
    }
  }
  return filesByName
}

test('no exported name has two meanings', () => {
  const twice = [...declarations()].filter(([, files]) => files.length > 1)
  expect(twice.length).toBeGreaterThan(0)
  expect(twice.filter(([name]) => !(name in shared))).toEqual([])
  const names = new Set(twice.map(([name]) => name))
  expect(Object.keys(shared).filter((name) => !names.has(name))).toEqual([])
})
