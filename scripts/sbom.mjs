// `npm run sbom`: prints the parts of the program and the app with versions and licences, as CycloneDX. npm's own
// `--omit dev` leaves out what both the program and a test need.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment, root } from './setup.mjs'

const options = { cwd: root, encoding: 'utf8', env: environment(), maxBuffer: 1e8 }
const bom = JSON.parse(execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--workspaces'], options))

const dependsOn = new Map(bom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]))
const nameOf = (ref) => ref.slice(0, ref.lastIndexOf('@'))
/** The `dependencies` of the workspace's packages by name. */
const ofPackages = new Map(
  globSync('packages/*/package.json', { cwd: root }).map((path) => {
    const { name, dependencies = {} } = JSON.parse(readFileSync(join(root, path), 'utf8'))
    return [name, Object.keys(dependencies)]
  }),
)

const parts = new Set()
const add = (ref) => {
  if (parts.has(ref)) return
  parts.add(ref)
  const named = ofPackages.get(nameOf(ref))
  for (const next of dependsOn.get(ref) ?? []) if (!named || named.includes(nameOf(next))) add(next)
}
for (const ref of dependsOn.keys()) if (ofPackages.has(nameOf(ref))) add(ref)

const isPart = (ref) => parts.has(ref)
const { component } = bom.metadata
bom.metadata.component = { ...component, name: 'saldo' }
bom.components = bom.components.filter((each) => isPart(each['bom-ref']))
bom.dependencies = bom.dependencies
  .filter(({ ref }) => isPart(ref) || ref === component['bom-ref'])
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(isPart) }))
process.stdout.write(`${JSON.stringify(bom, null, 2)}\n`)
