// Writes the API reference into `docs/api/`: a page for each export of the packages, from its docstring.
import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'
import { Application, ReflectionKind } from 'typedoc'
import { nameTypes } from './types.mjs'

const root = join(import.meta.dirname, '../..')

/** The entries of the packages by the name that programs import. */
const entries = ['core', 'client', 'conformance'].flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  return Object.entries(exports).map(([path, source]) => ({
    name: name + path.slice(1),
    source: join(root, 'packages', folder, source),
  }))
})

const app = await Application.bootstrapWithPlugins({
  plugin: ['typedoc-plugin-markdown', 'typedoc-vitepress-theme', 'typedoc-plugin-missing-exports'],
  // Types that exports mention and programs cannot import.
  internalModule: 'not-exported',
  name: 'API reference',
  tsconfig: join(import.meta.dirname, 'tsconfig.api.json'),
  entryPoints: entries.map(({ source }) => source),
  out: join(root, 'docs/api'),
  docsRoot: root,
  readme: 'none',
  disableSources: true,
  excludeInternal: true,
  excludeExternals: true,
  // `npm run check` looks for type errors.
  skipErrorChecking: true,
  hidePageHeader: true,
  useCodeBlocks: true,
  expandParameters: true,
  indexFormat: 'table',
  parametersFormat: 'table',
  typeDeclarationFormat: 'table',
})

const sources = app.getEntryPoints() ?? []
for (const source of sources) {
  source.displayName = entries.find((each) => each.source === normalize(source.sourceFile.fileName)).name
}

nameTypes(app, sources)
const project = app.converter.convert(sources)
// A schema and its type share a name; the docstring is the schema's.
for (const type of project.getReflectionsByKind(ReflectionKind.TypeAlias)) {
  const schemas = type.parent?.children?.filter((each) => each.name === type.name && each !== type) ?? []
  type.comment ??= schemas[0]?.comment?.clone()
}
await app.generateOutputs(project)
if (app.logger.hasErrors()) process.exitCode = 1
