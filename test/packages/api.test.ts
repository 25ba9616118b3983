import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const { declarationsOf, declareTypes } = (await import(join(root, 'scripts/packages.mjs'))) as {
  declarationsOf(path: string): string
  declareTypes(): void
}
declareTypes()

/** The entries as programs import them, each with its source file below `packages/`. */
const entries = ['core', 'client', 'conformance'].flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string>
  }
  return Object.entries(exports).map(([path, source]) => [name + path.slice(1), join(folder, source)] as const)
})

/** The longest text of a constant. The types of schemas are longer, and tests of the wire show their fields. */
const MAX_CONST_LENGTH = 300

interface Exported {
  name: string
  /** The declaration without comments. */
  text: string
  isDocumented: boolean
}

/** Returns the exports of a source file by name, those of other files that it passes on among them. */
function exportsOf(source: string): Map<string, Exported> {
  const code = readFileSync(declarationsOf(source), 'utf8')
  const found = new Map<string, Exported>()
  const add = (...exported: Exported[]) => {
    for (const one of exported) found.set(one.name, one)
  }
  for (const node of parseAst(code, { lang: 'dts' }).body) {
    if (node.type === 'ExportAllDeclaration') add(...exportsOf(join(dirname(source), node.source.value)).values())
    if (node.type !== 'ExportNamedDeclaration') continue
    if (node.source) {
      const passedOn = exportsOf(join(dirname(source), node.source.value))
      const names = node.specifiers.map(({ local }) => ('name' in local ? local.name : local.value))
      add(...names.flatMap((name) => passedOn.get(name) ?? []))
    } else if (node.declaration) {
      const text = shortened(code.slice(node.start, node.end))
      const isDocumented = code.slice(0, node.start).endsWith('*/\n')
      add(...namesOf(node.declaration).map((name) => ({ name, text, isDocumented })))
    }
  }
  return found
}

type Declaration = { id?: { name?: string } | null; declarations?: { id: { name?: string } }[] }

function namesOf(declaration: object): string[] {
  const { id, declarations = [] } = declaration as Declaration
  return [id?.name, ...declarations.map((each) => each.id.name)].filter((name) => name !== undefined)
}

function shortened(declaration: string): string {
  const text = declaration.replace(/^export (declare )?/, '').replace(/^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '')
  return text.startsWith('const') && text.length > MAX_CONST_LENGTH ? `${text.slice(0, MAX_CONST_LENGTH)}…` : text
}

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
