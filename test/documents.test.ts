import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, events, states } from '@saldo/client'
import { clientChecks, serviceChecks } from '@saldo/conformance'
import { problems } from '@saldo/core'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const RULE = /\b[RD]\d+(?:\.\d+)?\b/g

/** Returns the rules in brackets in test titles, such as `[R4.2] [D4.16] `, and those of the checks of the conformance kit. */
function rulesInTitles(): Set<string> {
  const files = globSync('{packages/*/{src,test},test,bench}/**/*.ts', { cwd: root })
  const rules = files.flatMap((file) =>
    [...read(file).matchAll(/\[([RD]\d+(?:\.\d+)?)\]/g)].map((match) => match[1] as string),
  )
  return new Set([...rules, ...[...serviceChecks, ...clientChecks].flatMap((check) => check.rules)])
}

/** The rules that a document states: at the head of a list item, or of a heading. */
function rulesStated(document: string): string[] {
  return [...document.matchAll(/^(?:- \*\*|## )([RD]\d+(?:\.\d+)?)(?:\*\*|:)/gm)].map((match) => match[1] as string)
}

describe('docs/protocol.md', () => {
  const stated = rulesStated(read('docs/protocol.md'))

  test('states each rule once', () => {
    expect(stated.length).toBeGreaterThan(30)
    expect(stated).toEqual([...new Set(stated)])
  })

  test('each of its rules has a test that carries its number', () => {
    const titles = [...rulesInTitles()]
    const isProved = (rule: string) => titles.some((title) => title === rule || title.startsWith(`${rule}.`))
    const sectionsAndGiven = stated.filter((rule) => !/^D\d+\.\d+$/.test(rule))
    expect(sectionsAndGiven.filter((rule) => !isProved(rule))).toEqual([])
  })

  test('no test carries the number of a rule that it does not state', () => {
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

test('docs/client.md shows what every event does to every state', () => {
  const next = (state: (typeof states)[number], event: (typeof events)[number]) => after({ state, again: false }, event)
  const rows = states.flatMap((state) => {
    const changing = events.filter((event) => next(state, event).state !== state)
    const byNext = Map.groupBy(changing, (event) => next(state, event).state)
    return [...byNext].map(([then, those]) => `| ${state} | ${those.join(', ')} | ${then} |`)
  })
  expect(read('docs/client.md')).toContain(`\n${rows.join('\n')}\n\n`)
})

test('docs/operations.md and the command’s help list exactly the settings that the service reads', () => {
  const names = (file: string) => [...new Set(read(file).match(/SALDO_[A-Z_]+[A-Z]/g))].sort()
  const settings = names('packages/server/src/env.ts')
  expect(names('docs/operations.md')).toEqual(settings)
  expect(names('packages/cli/src/program.ts')).toEqual(settings)
})

test('documents name only files that exist', () => {
  const documents = globSync('{*.md,{docs,bench,fixtures,packages}/**/*.md}', {
    cwd: root,
    exclude: (path) => path.includes('node_modules'),
  })
  for (const document of documents) {
    const links = [...read(document).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map((match) => match[1] as string)
    for (const link of links) {
      expect(globSync(join(document, '..', link), { cwd: root }), `${document} → ${link}`).not.toEqual([])
    }
  }
})

test('no rule number stands in the code that no document states', () => {
  const stated = new Set(rulesStated(read('docs/protocol.md')))
  const later = new Set(['D7'])
  for (const file of globSync('packages/*/src/**/*.ts', { cwd: root })) {
    const unknown = (read(file).match(RULE) ?? []).filter((rule) => !stated.has(rule) && !later.has(rule))
    expect(unknown, file).toEqual([])
  }
})
