import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { released, withVersion } = (await import(join(root, 'scripts/version.mjs'))) as {
  released(changelog: string, version: string, date: string): string
  withVersion(manifest: string, version: string): string
}
const { repositoryOf } = (await import(join(root, 'scripts/packages.mjs'))) as {
  repositoryOf(env: Record<string, string>): object | undefined
}

test('a release dates the notes of what is not published yet, and changes no other section', () => {
  const changelog = '# Changelog\n\n## Next – not published yet\n\n- A button.\n\n## 1.0.0 – 2030-01-01\n\n- All.\n'
  expect(released(changelog, '1.1.0', '2030-02-01')).toBe(
    '# Changelog\n\n## 1.1.0 – 2030-02-01\n\n- A button.\n\n## 1.0.0 – 2030-01-01\n\n- All.\n',
  )
  expect(() => released('# Changelog\n\n## 1.0.0 – 2030-01-01\n', '1.1.0', '2030-02-01')).toThrow('not published yet')
})

test('a release gives every package one version, by which the packages name each other', () => {
  for (const file of globSync('{.,packages/*}/package.json', { cwd: root })) {
    const text = readFileSync(join(root, file), 'utf8')
    const before = JSON.parse(text)
    const after = JSON.parse(withVersion(text, '9.0.0'))
    const ours = Object.keys(before.dependencies ?? {}).filter((name) => name.startsWith('@saldo/'))
    const dependencies = { ...before.dependencies, ...Object.fromEntries(ours.map((name) => [name, '9.0.0'])) }
    expect(after, file).toEqual({ ...before, version: '9.0.0', ...(before.dependencies && { dependencies }) })
  }
})

test('the list of parts has all libraries of the program and the app, and no tool', () => {
  const printed = execFileSync(process.execPath, [join(root, 'scripts/sbom.mjs')], { encoding: 'utf8' })
  const { bomFormat, components } = JSON.parse(printed) as { bomFormat: string; components: { 'bom-ref': string }[] }
  expect(bomFormat).toBe('CycloneDX')
  const names = components.map((each) => each['bom-ref'].replace(/@[^@]*$/, ''))
  const manifests = globSync('packages/*/package.json', { cwd: root }).map((file) =>
    readFileSync(join(root, file), 'utf8'),
  )
  const libraries = manifests.flatMap((text) => Object.keys(JSON.parse(text).dependencies ?? {}))
  expect(libraries.filter((name) => !names.includes(name))).toEqual([])
  expect(['vitest', 'knip', 'smtp-server', '@types/pg'].filter((name) => names.includes(name))).toEqual([])
})

test('a package names the repository of the workflow that publishes it, and none elsewhere', () => {
  const env = { GITHUB_SERVER_URL: 'https://forge.test', GITHUB_REPOSITORY: 'team/saldo' }
  expect(repositoryOf(env)).toEqual({ type: 'git', url: 'git+https://forge.test/team/saldo.git' })
  expect(repositoryOf({})).toBeUndefined()
})
