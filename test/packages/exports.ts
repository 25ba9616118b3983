import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const root = join(import.meta.dirname, '../..')
const { declarationsOf, declareTypes, libraries } = (await import(join(root, 'scripts/packages.mjs'))) as {
  declarationsOf(path: string): string
  declareTypes(): void
  libraries: { folder: string }[]
}
declareTypes()

/** The entries as programs import them, each with its source file below `packages/`. */
export const entries = libraries.flatMap(({ folder }) => {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8')) as {
    name: string
    exports: Record<string, string>
  }
  return Object.entries(exports).map(([path, source]) => [name + path.slice(1), join(folder, source)] as const)
})

/** The longest text of a constant. The types of schemas are longer, and tests of the wire show their fields. */
const MAX_CONST_LENGTH = 300
const SCHEMA = /^const \w+: (?:Omit<)?v\.\w+/

interface Exported {
  name: string
  /** The declaration without comments. */
  text: string
  isDocumented: boolean
}

/** Returns the exports of a source file by name, those of other files that it passes on among them. */
export function exportsOf(source: string): Map<string, Exported> {
  const code = readFileSync(declarationsOf(source), 'utf8')
  const found = new Map<string, Exported>()
  const add = (...exported: Exported[]) => {
    for (const one of exported) {
      // A schema and the type that it gives have one name.
      const other = found.get(one.name)
      const isDocumented = one.isDocumented || other?.isDocumented === true
      const isItsType = other && one.text.includes(`v.InferOutput<typeof ${one.name}>`)
      const text = isItsType ? `${other.text} and its type` : `${other?.text}\n${one.text}`
      found.set(one.name, other ? { ...one, text, isDocumented } : one)
    }
  }
  for (const node of parseAst(code, { lang: 'dts' }).body) {
    if (node.type === 'ExportAllDeclaration') add(...exportsOf(join(dirname(source), node.source.value)).values())
    if (node.type !== 'ExportNamedDeclaration') continue
    if (node.source) {
      const passedOn = exportsOf(join(dirname(source), node.source.value))
      for (const { local, exported } of node.specifiers) {
        const one = passedOn.get(nameOf(local))
        if (one) add({ ...one, name: nameOf(exported) })
      }
    } else if (node.declaration) {
      const text = shortened(code.slice(node.start, node.end))
      const isDocumented = code.slice(0, node.start).endsWith('*/\n')
      add(...namesOf(node.declaration).map((name) => ({ name, text, isDocumented })))
    }
  }
  return found
}

const nameOf = (name: { name: string } | { value: string }) => ('name' in name ? name.name : name.value)

type Declaration = { id?: { name?: string } | null; declarations?: { id: { name?: string } }[] }

function namesOf(declaration: object): string[] {
  const { id, declarations = [] } = declaration as Declaration
  return [id?.name, ...declarations.map((each) => each.id.name)].filter((name) => name !== undefined)
}

/** Returns a declaration without comments; a constant as one line, of schemas only which kind they are. */
function shortened(declaration: string): string {
  const text = declaration.replace(/^export (declare )?/, '').replace(/^ *\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n/gm, '')
  if (!text.startsWith('const')) return text
  const line = text.replace(/\s+/g, ' ')
  const schema = SCHEMA.exec(line)?.[0]
  if (schema !== undefined) return `${schema}…`
  return line.length > MAX_CONST_LENGTH ? `${line.slice(0, MAX_CONST_LENGTH)}…` : line
}
