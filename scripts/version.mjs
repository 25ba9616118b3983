// `npm run version -- X.Y.Z`: gives all packages that version, and dates the notes in CHANGELOG.md. Commits and
// publishes nothing.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './setup.mjs'

const NOT_PUBLISHED = /^## .* – not published yet$/m

/** Returns a changelog whose section of what is not published yet has a version and a date. */
export function released(changelog, version, date) {
  if (!NOT_PUBLISHED.test(changelog)) throw new Error('CHANGELOG.md has no section "## … – not published yet"')
  return changelog.replace(NOT_PUBLISHED, `## ${version} – ${date}`)
}

/**
 * Returns the text of a manifest with a version, which is also that of the workspace and its other packages. npm lists
 * the parts only of what has a version.
 */
export function withVersion(manifest, version) {
  return manifest.replace(/^( {2}"version"| {4}"@saldo\/\w+"): "[^"]*"/gm, `$1: "${version}"`)
}

if (import.meta.main) {
  const [version] = process.argv.slice(2)
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? '')) throw new Error('usage: npm run version -- X.Y.Z')
  const changelog = join(root, 'CHANGELOG.md')
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(changelog, released(readFileSync(changelog, 'utf8'), version, date))
  for (const path of globSync('{.,packages/*}/package.json', { cwd: root })) {
    writeFileSync(join(root, path), withVersion(readFileSync(join(root, path), 'utf8'), version))
  }
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--loglevel=error'])
}
