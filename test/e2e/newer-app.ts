import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

/** Returns a folder with a build of the app whose page says that it is newer, until the test ends. */
export function newerApp(): string {
  const newer = mkdtempSync(join(tmpdir(), 'saldo-newer-app-'))
  onTestFinished(() => rmSync(newer, { recursive: true, force: true }))
  cpSync(join(import.meta.dirname, '../../packages/web/dist'), newer, { recursive: true })
  const replace = (name: string, pattern: RegExp, text: string) => {
    const file = join(newer, name)
    const before = readFileSync(file, 'utf8')
    expect(before).toMatch(pattern)
    writeFileSync(file, before.replace(pattern, text))
    for (const ending of ['.br', '.gz']) rmSync(file + ending, { force: true })
  }
  replace('index.html', /<head>/, '<head><meta name="version" content="newer">')
  // The service worker knows each file by a hash.
  replace('sw.js', /{url:`index.html`,revision:`\w+`}/, '{url:"index.html",revision:"newer"}')
  return newer
}
