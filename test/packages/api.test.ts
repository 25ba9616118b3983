import { expect, test } from 'vitest'
import { entries, exportsOf } from './exports.ts'

test.for(entries)('the public API of %s is the one of its snapshot', async ([entry, source]) => {
  const declared = [...exportsOf(source).values()].map(({ text }) => text).sort()
  expect(declared.length).toBeGreaterThan(0)
  await expect(`${declared.join('\n\n')}\n`).toMatchFileSnapshot(
    `api/${entry.replace('@', '').replaceAll('/', '-')}.txt`,
  )
})

test('every export of the client is documented', () => {
  const ofClient = entries.filter(([entry]) => /^@saldo\/client(?!\/testing)/.test(entry))
  const undocumented = ofClient.flatMap(([, source]) =>
    [...exportsOf(source).values()].filter(({ isDocumented }) => !isDocumented).map(({ name }) => name),
  )
  expect(undocumented).toEqual([])
})
