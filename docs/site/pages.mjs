// The pages of the site. Each has the address of its file in the repository.
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

export const root = join(import.meta.dirname, '../..')

const groups = [
  ['Use it', ['README.md', 'docs/guide.md', 'docs/command.md', 'docs/assistants.md', 'CHANGELOG.md']],
  ['Run it', ['docs/operations.md', 'docs/scaling.md', 'docs/security.md', 'docs/asvs.md', 'SECURITY.md']],
  [
    'Build on it',
    [
      'docs/http.md',
      'docs/protocol.md',
      'docs/versions.md',
      'packages/client/README.md',
      'docs/client.md',
      'packages/core/README.md',
      'packages/cli/README.md',
      'packages/conformance/README.md',
      'docs/conformance.md',
      'examples/README.md',
      'docs/api/index.md',
    ],
  ],
  [
    'How it works',
    [
      'ARCHITECTURE.md',
      'CONTRIBUTING.md',
      'docs/glossary.md',
      'docs/testing.md',
      'docs/translating.md',
      'fixtures/README.md',
      'fixtures/data/README.md',
      'bench/README.md',
    ],
  ],
  ['Decisions', globSync('docs/decisions/*.md', { cwd: root }).sort()],
]

/** Every page but those below the index of the API reference, as paths in the repository. */
export const pages = groups.flatMap(([, files]) => files)

/** The API reference, which `api.mjs` writes. */
export const API = 'docs/api/'

/**
 * Returns a link from one file to another as a link of the site, or undefined if its target is no page. A link to
 * nothing stays as it is, and fails the build.
 */
export function siteLink(file, link) {
  const [path, ...anchor] = link.split(/(?=#)/)
  const target = posix.join(dirname(file), decodeURI(path))
  const page = [target, posix.join(target, 'README.md')].find((each) => pages.includes(each) || each.startsWith(API))
  if (page) return [addressOf(page), ...anchor].join('')
  return existsSync(join(root, target)) ? undefined : link
}

function addressOf(page) {
  return page === 'README.md' ? '/' : `/${page.replace(/md$/, 'html')}`
}

/** Returns the text of a page's first heading. */
function titleOf(page) {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(root, page), 'utf8'))
  return title.replaceAll('`', '')
}

/** The sidebars by the beginning of the address: the one of the documents, and one for each module of the API. */
export function sidebars() {
  const modules = JSON.parse(readFileSync(join(root, API, 'typedoc-sidebar.json'), 'utf8'))
  const documents = groups.map(([text, files]) => ({
    text,
    collapsed: text === 'Decisions',
    items: files.map((page) => ({ text: titleOf(page), link: addressOf(page) })),
  }))
  const ofModules = modules.map((open) => [
    open.link,
    modules.map(({ text, link, items }) => (link === open.link ? { text, link, items } : { text, link })),
  ])
  const closed = modules.map(({ text, link }) => ({ text, link }))
  return { ...Object.fromEntries(ofModules), [`/${API}`]: closed, '/': documents }
}
