import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { manualOf } from '../../packages/cli/src/manual.ts'
import { program } from '../../packages/cli/src/program.ts'
import { entries, exportsOf } from './exports.ts'

const snapshotOf = (entry: string) => `${entry.replace('@', '').replaceAll('/', '-')}.txt`

test.for(entries)('the public API of %s is the one of its snapshot', async ([entry, source]) => {
  const declared = [...exportsOf(source).values()].map(({ text }) => text).sort()
  expect(declared.length).toBeGreaterThan(0)
  await expect(`${declared.join('\n')}\n`).toMatchFileSnapshot(`api/${snapshotOf(entry)}`)
})

test('each snapshot is of an entry', () => {
  const names = [...entries.map(([entry]) => snapshotOf(entry)), 'saldo-command.txt']
  expect(readdirSync(join(import.meta.dirname, 'api')).toSorted()).toEqual(names.toSorted())
})

test('the commands with their arguments and options are those of the snapshot', async () => {
  const [, ...commands] = manualOf(program('0'), '0').replaceAll('\\', '').split('\n.SH EXIT', 1).join().split('\n.SS ')
  const usages = commands.map((command) => {
    const [usage] = command.split('\n')
    const terms = [...command.matchAll(/^\.B (?!-h, )(.+)\n(?:.*?( \((?:choices|default): .*\))?)$/gm)]
    return [usage, ...terms.map(([, term, values = '']) => `  ${term}${values}`)].join('\n')
  })
  await expect(`${usages.join('\n')}\n`).toMatchFileSnapshot('api/saldo-command.txt')
})

test('every export of the client is documented', () => {
  const ofClient = entries.filter(([entry]) => /^@saldo\/client(?!\/testing)/.test(entry))
  const undocumented = ofClient.flatMap(([, source]) =>
    [...exportsOf(source).values()].filter(({ isDocumented }) => !isDocumented).map(({ name }) => name),
  )
  expect(undocumented).toEqual([])
})

test('the README of the client lists all that a device has', () => {
  const client = join(import.meta.dirname, '../../packages/client')
  const readme = readFileSync(join(client, 'README.md'), 'utf8').split('## What there is')[1]?.split('\n## ')[0] ?? ''
  const device = exportsOf('client/src/api/saldo.ts').get('Saldo')?.text ?? ''
  const collection = exportsOf('client/src/api/saldo.ts').get('Collection')?.text ?? ''
  const account = readFileSync(join(client, 'src/api/own-user-account.ts'), 'utf8').split('  return {\n')[1] ?? ''
  const membersOf = (text: string) =>
    [...text.matchAll(/^ {4,8}(?:readonly |async )?(\w+)(?:<\w+>)?[:(,]/gm)].flatMap(([, name = '']) => name)
  const members = new Set([device, collection].flatMap(membersOf))
  for (const [, name = ''] of account.matchAll(/^ {4}(?:async )?(\w+)[:(,]/gm)) members.add(name)
  expect(members.size).toBeGreaterThan(50)
  const isNamed = (name: string) => new RegExp(`\`${name}[\`(]`).test(readme)
  expect([...members].filter((name) => !isNamed(name))).toEqual([])
})
