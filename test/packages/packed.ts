import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The repository. */
export const root = join(import.meta.dirname, '../..')

const packages = (await import(join(root, 'scripts/packages.mjs'))) as {
  writePackages(folder: string): Promise<void>
  packAll(folder: string): Record<string, string>
  libraries: { folder: string }[]
}

/** The folder of each package that is published, by its name. */
export const folders: Record<string, string> = {
  ...Object.fromEntries(packages.libraries.map(({ folder }) => [`@saldo/${folder}`, folder])),
  saldo: 'saldo',
}

/** The package files by name, as npm packs them, and the folders that they were packed from. */
export interface Packed {
  folder: string
  files: Record<string, string>
}

/** Builds and packs what is published into a new folder. */
export async function packPackages(): Promise<Packed> {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-packages-'))
  await packages.writePackages(folder)
  return { folder, files: packages.packAll(folder) }
}

/**
 * Unpacks package files into the `node_modules` of a folder, each beside exactly the dependencies that it declares,
 * which are those of the workspace, and its peers with their types. So the result is what npm installs, without a
 * network.
 */
export function unpackInto(folder: string, { folder: packedIn, files }: Packed): void {
  const modules = join(folder, 'node_modules')
  for (const [name, file] of Object.entries(files)) {
    // A folder of its own, so that no package sees the dependencies of another.
    const own = join(packedIn, 'store', name.replace('/', '+'), 'node_modules')
    const at = join(own, name)
    mkdirSync(at, { recursive: true })
    execFileSync('tar', ['-xzf', file, '-C', at, '--strip-components=1'])
    const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(at, 'package.json'), 'utf8'))
    const peers = Object.keys(peerDependencies ?? {}).flatMap((peer) => [peer, `@types/${peer}`])
    for (const dependency of [...Object.keys(dependencies ?? {}), ...peers]) {
      const target = files[dependency]
        ? join(packedIn, 'store', dependency.replace('/', '+'), 'node_modules', dependency)
        : join(root, 'node_modules', dependency)
      link(target, join(own, dependency))
    }
    link(at, join(modules, name))
  }
}

function link(target: string, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(target, path)
}
