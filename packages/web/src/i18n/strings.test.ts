import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { describe, expect, test } from 'vitest'
import { languageOf } from '../../build/language-files.ts'
import { partOf } from '../../build/strings.ts'

const source = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(source, file), 'utf8')

type Strings = { [key: string]: string | Strings }

/** `{ a: { b: 'x' } }` as `a.b` → `x`. */
function flat(strings: Strings, prefix = ''): [string, string][] {
  return Object.entries(strings).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  )
}

const files = globSync('**/*.json', { cwd: source }).sort()
const languages = [...new Set(files.flatMap((file) => languageOf(file) ?? []))]
const stringsOf = (language: string) =>
  new Map(files.filter((file) => languageOf(file) === language).flatMap((file) => flat(JSON.parse(read(file)))))

const code = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !file.endsWith('.test.ts'))
const parsed = code.map((file) => ({ file, program: parseSync(file, read(file)).program }))

interface Used {
  whole: Set<string>
  beginnings: Set<string>
}

/** Keys as some code writes them: whole, and as the beginnings of keys that are put together. */
function keysIn(files: typeof parsed): Used {
  const used: Used = { whole: new Set(), beginnings: new Set() }
  for (const { program } of files) collectKeys(program, used)
  return used
}

function collectKeys(program: (typeof parsed)[number]['program'], used: Used): void {
  new Visitor({
    Literal({ value }) {
      if (typeof value === 'string' && /^\w+(\.\w+)+$/.test(value)) used.whole.add(value)
    },
    TemplateLiteral({ quasis }) {
      const start = quasis[0]?.value.cooked ?? ''
      if (quasis.length > 1 && /^\w+(\.\w+)*\.\w*$/.test(start)) used.beginnings.add(start)
    },
  }).visit(program)
}

const used = keysIn(parsed)

describe('strings', () => {
  const english = stringsOf('en')
  /** `waiting_one` and `waiting_other` are one key, `waiting`; a key that merely ends so is none of these. */
  const isPlural = (stem: string) => english.has(`${stem}_one`) && english.has(`${stem}_other`)
  const stemOf = (key: string) => {
    const stem = key.replace(/_(zero|one|two|few|many|other)$/, '')
    return isPlural(stem) ? stem : key
  }
  const keys = [...new Set([...english.keys()].map(stemOf))]

  test.each(languages)('are complete in «%s», with the same values and all plurals', (language) => {
    const strings = stringsOf(language)
    const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const wanted = keys.flatMap((key) => (isPlural(key) ? categories.map((category) => `${key}_${category}`) : [key]))
    expect([...strings.keys()].sort()).toEqual(wanted.sort())
    const values = (text = '') => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()
    for (const [key, text] of strings) {
      const other = english.get(key) ?? english.get(`${stemOf(key)}_other`)
      expect({ key, values: values(text).filter((name) => name !== 'count') }).toEqual({
        key,
        values: values(other).filter((name) => name !== 'count'),
      })
    }
  })

  // Only the order tells which value is which, such as the project that is renamed and the one that it becomes.
  test('have their values in German in the order of the English ones, but for these', () => {
    const german = stringsOf('de')
    const namesIn = (text = '') => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name)
    const order = (text?: string) => namesIn(text).filter((name) => name !== 'count' && name !== 'number')
    const others = [...english].filter(([key, text]) => order(text).join() !== order(german.get(key)).join())
    expect(others.map(([key]) => key).sort()).toEqual([
      'limits.changed',
      'schedule.limits.expiring',
      'today.forgotten.why.break',
      'today.forgotten.why.work',
    ])
  })

  test('exist for every key in the code', () => {
    const spaces = new Set(keys.map((key) => key.split('.')[0]))
    const asked = [...used.whole].filter((key) => spaces.has(key.split('.')[0]))
    expect(asked.filter((key) => !keys.includes(key))).toEqual([])
    expect([...used.beginnings].filter((start) => !keys.some((key) => key.startsWith(start)))).toEqual([])
  })

  test('are all used by the code', () => {
    const isUsed = (key: string) => used.whole.has(key) || [...used.beginnings].some((start) => key.startsWith(start))
    expect(keys.filter((key) => !isUsed(key))).toEqual([])
  })

  test('are not in the code', () => {
    const readable = new Set(['aria-label', 'title', 'label', 'placeholder', 'description', 'alt'])
    const hasLetters = (text: string) => /\p{L}{2}/u.test(text)
    const found: string[] = []
    for (const { file, program } of parsed) {
      new Visitor({
        JSXText({ value }) {
          if (hasLetters(value)) found.push(`${file}: ${value.trim()}`)
        },
        JSXAttribute({ name, value }) {
          const isText = value?.type === 'Literal' && typeof value.value === 'string' && hasLetters(value.value)
          if (name.type === 'JSXIdentifier' && readable.has(name.name) && isText) found.push(`${file}: ${value.value}`)
        },
      }).visit(program)
    }
    expect(found).toEqual([])
  })

  test('of the first part are all that the app says before a view with strings of its own', () => {
    const first = new Set(files.filter((file) => languageOf(file) === 'en' && partOf(file) === 'first').flatMap(keysOf))
    const { whole, beginnings } = keysIn(parsed.filter(({ file }) => partOf(file) === 'first'))
    const late = keys.filter((key) => ![...first].some((known) => stemOf(known) === key))
    expect(late.length).toBeGreaterThan(100)
    const asked = late.filter((key) => whole.has(key) || [...beginnings].some((start) => key.startsWith(start)))
    expect(asked).toEqual([])
  })
})

function keysOf(file: string): string[] {
  return flat(JSON.parse(read(file))).map(([key]) => key)
}
