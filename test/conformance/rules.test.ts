import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientChecks, serviceChecks } from '@saldo/conformance'
import { expect, test } from 'vitest'
import { serviceFaults } from '../planted/service-faults.ts'

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8')
/** The given rules one by one, such as R3.5, and the sections of decisions, such as D7. */
const stated = [...read('docs/protocol.md').matchAll(/^(?:- \*\*(R\d+\.\d+)\*\*|## (D\d+):)/gm)].map(
  ([, given, section]) => given ?? section,
)
const sectionOf = (rule: string) => (rule.startsWith('D') ? rule.split('.')[0] : rule)
const checks: readonly { rules: readonly string[]; title: string }[] = [...serviceChecks, ...clientChecks]

test('each rule of the protocol is checked, or docs/conformance.md says why it cannot be', () => {
  const checked = checks.flatMap(({ rules }) => rules.map(sectionOf))
  const [, section = ''] = read('docs/conformance.md').split('## Rules that cannot be checked from outside')
  const unseen = [...section.matchAll(/^\| ([RD]\d[^|]*) \|/gm)].flatMap(([, rules = '']) => rules.split(', '))
  expect([...new Set([...checked, ...unseen])].sort()).toEqual(stated.toSorted())
  expect(unseen.filter((rule) => checked.includes(rule))).toEqual([])
})

test('each rule of a service has a planted fault that breaks it', () => {
  const broken = new Set(serviceFaults.map(({ rule }) => sectionOf(rule)))
  const unbroken = serviceChecks.map(({ rules }) => sectionOf(rules[0])).filter((rule) => !broken.has(rule))
  expect([...new Set(unbroken)]).toEqual([])
})

test('a check names each of its rules once, and no other has its title', () => {
  for (const { rules } of checks) expect(rules).toEqual([...new Set(rules)])
  const titles = checks.map(({ title }) => title)
  expect(titles).toEqual([...new Set(titles)])
})
