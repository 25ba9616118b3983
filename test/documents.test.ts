import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { columnFields } from '@saldo/client/import'
import { clientChecks, serviceChecks } from '@saldo/conformance'
import { problems } from '@saldo/core'
import { describe, expect, test } from 'vitest'
import {
  phaseOf,
  type SyncEvent,
  type SyncState,
  stateTable,
  syncEvents,
  syncStates,
} from '../packages/client/src/engine/sync-state.ts'
import { isHeavyFile } from './tiers.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const RULE = /\b[RD]\d+(?:\.\d+)?\b/g

const testFiles = globSync('{packages/*/{src,test},test,bench}/**/*.ts', { cwd: root })
const declaredInHeavyTier = /^\s*heavyTest[.(][\s\S]*?\basync\b/gm

/** Returns the rules that stand in brackets in texts of tests, as at the head of a title. */
function rulesInBrackets(texts: readonly string[]): string[] {
  return texts.flatMap((text) => [...text.matchAll(/\[([RD]\d+(?:\.\d+)?)\]/g)].map((match) => match[1] as string))
}

/** The rules that titles of all tests name. */
const rulesInTitles = () => new Set(rulesInBrackets(testFiles.map(read)))

/** The rules that titles of the standard tier name; the checks of the conformance kit are tests too. */
function rulesInStandardTier(): Set<string> {
  const standard = testFiles.filter((file) => !isHeavyFile(file))
  const texts = standard.map((file) => read(file).replace(declaredInHeavyTier, ''))
  const checks = [...serviceChecks, ...clientChecks]
  return new Set([...rulesInBrackets(texts), ...checks.flatMap(({ rules }) => rules)])
}

/** The rules that the protocol states, each at the head of a list item. */
function rulesStated(): string[] {
  return [...read('docs/protocol.md').matchAll(/^- \*\*([RD]\d+\.\d+)\*\* /gm)].map(([, rule = '']) => rule)
}

describe('docs/protocol.md', () => {
  const stated = rulesStated()

  test('states each rule once, and numbers the rules of a section without gaps', () => {
    expect(stated.length).toBeGreaterThan(250)
    const inOrder = stated.map((rule, index) => {
      const section = rule.split('.')[0] as string
      const before = stated.slice(0, index).filter((other) => other.startsWith(`${section}.`))
      return `${section}.${before.length + 1}`
    })
    expect(stated).toEqual(inOrder)
  })

  test('each of its rules has a test in npm test that carries its number', () => {
    const titles = rulesInStandardTier()
    expect(stated.filter((rule) => !titles.has(rule))).toEqual([])
  })

  test('no test carries a number that is not one of its rules, such as that of a whole section', () => {
    expect([...rulesInTitles()].filter((rule) => !stated.includes(rule))).toEqual([])
  })
})

test('docs/http.md lists exactly the error codes of core, with their status', () => {
  const rows = [...read('docs/http.md').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ])
  expect(Object.fromEntries(rows)).toEqual(
    Object.fromEntries(Object.entries(problems).map(([code, { status }]) => [code, status])),
  )
})

test('docs/client.md shows which events lead from every state to another', () => {
  const common = { stop: 'stopped', deposed: 'following', offline: 'offline', unauthenticated: 'signInNeeded' }
  const isCommon = (state: SyncState, event: string) => {
    return state !== 'stopped' && state !== 'following' && event in common
  }
  const rows = syncStates.map((state) => {
    const shown = syncEvents.filter((event) => stateTable[state][event] !== state && !isCommon(state, event))
    const byNext = Map.groupBy(shown, (event) => stateTable[state][event])
    return `| ${state} | ${[...byNext].map(([next, those]) => `${those.join(', ')} → ${next}`).join('; ')} |`
  })
  expect(read('docs/client.md')).toContain(`\n${rows.join('\n')}\n\n`)

  const exceptions = syncStates.flatMap((state) =>
    Object.entries(common).flatMap(([event, next]) =>
      isCommon(state, event) && stateTable[state][event as SyncEvent] !== next ? [`${event} in ${state}`] : [],
    ),
  )
  expect(exceptions).toEqual(['offline in signInNeeded'])
})

test('the picture in docs/client.md has exactly the changes of phase of the state table', () => {
  const everywhere = ['stop', 'deposed', 'offline', 'unauthenticated']
  const changes = syncStates.flatMap((state) =>
    syncEvents
      .filter((event) => state === 'following' || !everywhere.includes(event))
      .map((event) => [phaseOf(state), phaseOf(stateTable[state][event]), event] as const)
      .filter(([from, to]) => from !== to),
  )
  const drawn = [...read('docs/client.md').matchAll(/^ {2}(\w+) --> (\w+): (.*)$/gm)].flatMap(
    ([, from, to, label = '']) =>
      label.split(', ').flatMap((event) => (event.startsWith('in ') ? [] : [`${from} → ${to}: ${event}`])),
  )
  const wanted = new Set(changes.map(([from, to, event]) => `${from} → ${to}: ${event}`))
  expect(drawn.toSorted()).toEqual([...wanted].toSorted())
})

test('docs/operations.md and the command’s help list exactly the settings that the service reads', () => {
  const names = (file: string) => [...new Set(read(file).match(/SALDO_[A-Z_]+[A-Z]/g))].sort()
  const settings = names('packages/server/src/env.ts')
  expect(names('docs/operations.md')).toEqual(settings)
  expect(names('packages/cli/src/program.ts')).toEqual(settings)
})

test('the command’s help of an import lists exactly the fields that columns can be', () => {
  const [, listed = ''] = /Fields of --columns: ([^.]+)\./.exec(read('packages/cli/src/program.ts')) ?? []
  expect(listed.split(/,\s+/).toSorted()).toEqual([...columnFields].toSorted())
})

test('CONTRIBUTING.md lists exactly the scripts of the project', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const listed = [...read('CONTRIBUTING.md').matchAll(/^\| `npm (?:run )?([\w:]+)/gm)].map(([, name]) => name)
  expect([...new Set(listed)].toSorted()).toEqual(Object.keys(scripts).toSorted())
})

const documents = globSync('{*.md,{docs,bench,examples,fixtures,packages}/**/*.md}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
})

/** Returns the anchors of a document's headings, as forges make them. */
function anchorsOf(document: string): string[] {
  const headings =
    read(document)
      .replaceAll(/^```[\s\S]*?^```/gm, '')
      .match(/^#+ .*$/gm) ?? []
  return headings.map((heading) =>
    heading
      .replace(/^#+ /, '')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

test('links in documents lead to files that exist, and to headings in them', () => {
  const dead = documents.flatMap((document) =>
    [...read(document).matchAll(/\]\((?!\w+:)([^)#]*)(?:#([^)]*))?\)/g)].flatMap(([, path = '', anchor]) => {
      const target = path === '' ? document : join(document, '..', path)
      const exists = globSync(target, { cwd: root }).length > 0
      const isRight = exists && (anchor === undefined || anchorsOf(target).includes(anchor))
      return isRight ? [] : [`${document} → ${path}${anchor === undefined ? '' : `#${anchor}`}`]
    }),
  )
  expect(dead).toEqual([])
})

test('docs/decisions/README.md lists every decision with its title, status and date', () => {
  const folder = 'docs/decisions'
  const rows = globSync(`${folder}/[0-9]*.md`, { cwd: root })
    .sort()
    .map((file) => {
      const [, number, title, status] =
        /^# (\d+)\. (.*)\n\n(Accepted, \d{4}-\d\d-\d\d(?:; replaced by .*)?)\n/.exec(read(file)) ?? []
      expect(Number(number), file).toBe(Number(basename(file).slice(0, 4)))
      return `| ${number} | [${title}](${basename(file)}) | ${status} |`
    })
  expect(read(`${folder}/README.md`).match(/^\| \d.*$/gm)).toEqual(rows)
})

test('the tables of ARCHITECTURE.md have short cells and name files that exist', () => {
  const rows = read('ARCHITECTURE.md').match(/^\|.*$/gm) ?? []
  expect(rows.flatMap((row) => row.split('|')).filter((cell) => cell.length > 200)).toEqual([])
  const files = globSync(['packages/*/**/*.*', 'scripts/*', 'test/**/*.*', 'fixtures/*', 'docs/*'], {
    cwd: root,
    exclude: (path) => /node_modules|\bdist\b/.test(path),
  })
  const names = new Set(files.map((file) => basename(file)))
  const named = rows.flatMap((row) => [...row.matchAll(/`(?:[\w./-]*\/)?([\w-]+\.(?:ts|tsx|mjs|json))`/g)])
  expect(named.length).toBeGreaterThan(100)
  expect(named.map(([, name]) => name as string).filter((name) => !names.has(name))).toEqual([])
})

test('code names only rules and sections of the protocol that exist', () => {
  const rules = rulesStated()
  const stated = new Set([...rules, ...rules.map((rule) => rule.split('.')[0] as string)])
  for (const file of globSync('packages/*/src/**/*.ts', { cwd: root })) {
    expect(
      (read(file).match(RULE) ?? []).filter((rule) => !stated.has(rule)),
      file,
    ).toEqual([])
  }
})
