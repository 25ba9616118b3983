import { readFileSync } from 'node:fs'

/** The content of `fixtures/<name>.json`; `fixtures/README.md` tells its shape. */
export function readFixture<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`../../../fixtures/${name}.json`, import.meta.url), 'utf8')) as T
}
