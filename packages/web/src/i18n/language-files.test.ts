import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { languageOf } from '../../build/language-files.ts'
import { strings } from '../../build/strings.ts'

test('a file of strings is named after its language, with script and region if it has them', () => {
  const names = ['de.json', 'week/pt-BR.json', 'zh-Hant.json', 'zh-Hant-TW.json', 'es-419.json', 'fil.json']
  expect(names.map(languageOf)).toEqual(['de', 'pt-BR', 'zh-Hant', 'zh-Hant-TW', 'es-419', 'fil'])
  const others = ['package.json', 'pt_BR.json', 'pt-br.json', 'de.ts', 'tsconfig.test.json']
  expect(others.map(languageOf)).toEqual(others.map(() => undefined))
})

test('the app gets two modules for each language, with the strings of all its files', () => {
  const source = mkdtempSync(join(tmpdir(), 'saldo-strings-'))
  mkdirSync(join(source, 'shell'))
  mkdirSync(join(source, 'features/week'), { recursive: true })
  writeFileSync(join(source, 'en.json'), '{ "app": "Saldo" }')
  writeFileSync(join(source, 'pt-BR.json'), '{ "app": "Saldo", "week": { "title": "Semana" } }')
  writeFileSync(join(source, 'shell/pt-BR.json'), '{ "week": { "short": "Sem." } }')
  writeFileSync(join(source, 'features/week/pt-BR.json'), '{ "week": { "sum": "Soma" } }')
  const { load } = strings(source) as unknown as { load(this: object, id: string): string }
  const read = (id: string) => load.call({ addWatchFile() {} }, `\0${id}`)
  const loaderOf = (language: string) =>
    `'${language}': { first: () => import('virtual:strings/${language}/first'), later: () => import('virtual:strings/${language}/later') }`
  expect(read('virtual:languages')).toBe(`export const languages = { ${loaderOf('en')}, ${loaderOf('pt-BR')} }`)
  expect(read('virtual:strings/pt-BR/first')).toBe(
    'export default {"app":"Saldo","week":{"title":"Semana","short":"Sem."}}',
  )
  expect(read('virtual:strings/pt-BR/later')).toBe('export default {"week":{"sum":"Soma"}}')
})
