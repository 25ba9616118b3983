// The files that the build of the program wrote: the image and the published package take exactly these.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

/** The folder of the built program. */
export const programFolder = join(root, 'packages/cli/dist')

/** Returns the files of the built program, relative to its folder; none before the first build. */
export function programFiles() {
  const list = join(programFolder, 'files.json')
  return existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
}

/** The packages that the built program loads from `node_modules`: a native addon, and what an old Node lacks. */
export const loadedPackages = ['better-sqlite3', 'temporal-polyfill']
