import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
interface Change {
  kind: string
  text: string
}
const { readChangeset, withRelease } = (await import(join(root, 'scripts/version.mjs'))) as {
  readChangeset(markdown: string): Change
  withRelease(changelog: string, release: { version: string; date: string; changes: Change[] }): string
}

test('a release lists its changesets in the changelog by kind, before the releases before it', () => {
  const changes = [
    '---\n"saldo": patch\n---\n\nA wrong total.\n',
    '---\n"saldo": patch\n"@saldo/client": minor\n---\n\nReact bindings,\nin two lines.\n',
  ].map(readChangeset)
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
  const released = withRelease(changelog, { version: '9.0.0', date: '2030-01-02', changes })
  const section =
    '## 9.0.0 – 2030-01-02\n\n### Added\n\n- React bindings,\n  in two lines.\n\n### Fixed\n\n- A wrong total.\n\n'
  expect(released).toBe(changelog.replace('\n## ', `\n${section}## `))
})

test('a changeset without packages is a mistake', () => {
  expect(() => readChangeset('A change.')).toThrow('begins with packages')
  expect(() => readChangeset('---\n"saldo": none\n---\n\nA change.')).toThrow('major, minor or patch')
})
