// `npm run version`: gives all packages their next version, by the changesets in `.changeset/`, and moves the texts of
// these into CHANGELOG.md. Commits and publishes nothing.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run } from './setup.mjs'

/** Titles in the changelog by the kind of a change. */
const titles = { major: 'Incompatible', minor: 'Added', patch: 'Fixed' }

/** Returns the kind of change (`major`, `minor`, `patch`) and the text of a changeset. */
export function readChangeset(markdown) {
  const [, head, text] = /^---\n(.*?)\n---\n(.*)$/s.exec(markdown) ?? []
  if (text === undefined) throw new Error('a changeset begins with packages and kinds of change between two lines ---')
  const kind = Object.keys(titles).find((kind) => new RegExp(`: ${kind}$`, 'm').test(head))
  if (!kind) throw new Error(`a changeset names major, minor or patch for each package, not ${head}`)
  return { kind, text: text.trim() }
}

/** Returns a changelog with a release before the others: its changes by kind, each as an item of a list. */
export function withRelease(changelog, { version, date, changes }) {
  const sections = Object.entries(titles).flatMap(([kind, title]) => {
    const items = changes
      .filter((change) => change.kind === kind)
      .map(({ text }) => `- ${text.replaceAll('\n', '\n  ')}`)
    return items.length > 0 ? [`### ${title}\n\n${items.join('\n')}\n`] : []
  })
  const at = changelog.indexOf('\n## ') + 1
  return `${changelog.slice(0, at)}## ${version} – ${date}\n\n${sections.join('\n')}\n${changelog.slice(at)}`
}

if (import.meta.main) {
  const files = globSync('.changeset/*.md', { cwd: root }).sort()
  const changes = files.map((file) => readChangeset(readFileSync(join(root, file), 'utf8')))
  if (changes.length === 0) throw new Error('there is no changeset; npx changeset adds one')
  run('changeset', ['version'])
  run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--loglevel=error'])
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
  const file = join(root, 'CHANGELOG.md')
  const date = new Date().toISOString().slice(0, 10)
  writeFileSync(file, withRelease(readFileSync(file, 'utf8'), { version, date, changes }))
}
