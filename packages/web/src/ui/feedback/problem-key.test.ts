import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemOf, problems } from '@saldo/core'
import { expect, test } from 'vitest'
import { languageOf } from '../../../build/language-files.ts'
import { problemKey } from './problem-key.ts'

const folder = join(import.meta.dirname, '..')
const languages = globSync('*.json', { cwd: folder }).filter(languageOf)

test.each(languages)('every problem has a text in %s', (file) => {
  const { ui } = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  expect(Object.keys(ui.problem).sort()).toEqual(Object.keys(problems).sort())
})

test('an unknown problem has no key', () => {
  expect(problemKey(problemOf('invalid_record', 'no'))).toBe('ui.problem.invalid_record')
  expect(problemKey({ ...problemOf('internal', 'teapot'), type: 'about:blank' })).toBeUndefined()
  expect(problemKey({ type: 'urn:saldo:problem:later', code: 'later' })).toBeUndefined()
})
