import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const source = join(import.meta.dirname, '../src')
const entries = {
  '@saldo/client': 'index.ts',
  '@saldo/client/dexie': 'store/dexie/dexie-store.ts',
  '@saldo/client/import': 'import/index.ts',
  '@saldo/client/node': 'store/node/sqlite-store.ts',
}
const MAX_EXPORTS = 68

/** Returns the names that a file exports, each with the file that declares it. */
function exportsOf(entry: string): { name: string; file: string }[] {
  const text = readFileSync(join(source, entry), 'utf8')
  const own = [...text.matchAll(/^export (?:async )?(?:function|class|const|interface|type) (\w+)/gm)]
  const others = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)].flatMap(
    ([, names = '', file = '']) =>
      names
        .split(',')
        .map((name) => name.replace('type ', '').trim())
        .filter((name) => name !== '')
        .map((name) => ({ name, file: join(dirname(entry), file) })),
  )
  return [...own.map(([, name = '']) => ({ name, file: entry })), ...others]
}

/** Returns the docstring and the declaration of a name: an interface or type whole, of anything else its head. */
function declarationOf({ name, file }: { name: string; file: string }): string {
  const text = readFileSync(join(source, file), 'utf8')
  const head = `(?:/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?export (?:async )?`
  const whole = `(?:interface|class) ${name}\\b[^{]*\\{[^]*?^\\}`
  const short = `(?:function|const|type) ${name}\\b[^]*?(?=\\n\\n|\\n[^ |)}]| \\{\\n  (?:const|return|let)| = \\{)`
  const found = new RegExp(`^${head}(?:${whole}|${short})`, 'm').exec(text)
  if (!found) throw new Error(`${file} does not declare ${name}`)
  return found[0]
}

const exported = Object.entries(entries).flatMap(([path, entry]) =>
  exportsOf(entry).map((one) => ({ path, declaration: declarationOf(one), name: one.name })),
)

test(`the client has at most ${MAX_EXPORTS} public exports`, () => {
  expect(exported.length).toBeLessThanOrEqual(MAX_EXPORTS)
  expect(exported.length).toBeGreaterThan(30)
})

test('every public export is documented', () => {
  expect(exported.filter(({ declaration }) => !declaration.startsWith('/**')).map(({ name }) => name)).toEqual([])
})

test('the public API is the one in public-api.txt', async () => {
  const text = exported.map(({ path, declaration }) => `// ${path}\n${declaration}\n`).join('\n')
  await expect(text).toMatchFileSnapshot('public-api.txt')
})
