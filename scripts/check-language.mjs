// Checks what a script can see of the house's language: long lines, comments that begin with a free relative clause, and
// words of a private dialect. Prints each finding, and fails if there is one.
import { globSync, readFileSync } from 'node:fs'
import { sep } from 'node:path'

const MAX_LENGTH = 120

/** Words with practically no use but the private one, and the word to use instead. */
const denied = [
  [/surroundings?/i, 'host environment'],
  [/\btrays?\b/i, 'rejected changes'],
  [/\bwhat (stands|waits)\b/i, 'the stored record; unsent changes'],
  [/\b(is|are) told\b/i, 'gets, receives'],
  [/\bas is none\b/i, 'or if there is none'],
  [/\b(ereyesterday|overmorrow)\b/i, 'a date or an offset in days'],
]

/** A line of data, such as an SQL statement or a regular expression. Titles of tests have to fit. */
const LONG_LITERAL = /^(?!\s*(?:\/?\*|\/\/))(?!.*\b(?:test|describe)\b).*(?:(['"`]).{80,}\1|\s*\/.{80,}\/\w*$)/

const FREE_CLAUSE = /^(What|Whether|Who|Whom|Whose|How)\b/
/** A title of a test that begins with a free relative clause, after its rules. */
const TITLE_CLAUSE =
  /(?:\b(?:test|describe)(?:\.\w+)?|^\s*\))\(\s*['"`](?:\[[\w., ]+\] )?(?:what|whether|who|whom|whose|how)\b/i

/**
 * Returns the findings in a text: `{ line, kind, detail }`, `line` from 1. Kinds: `length`, `comment`, `title`, `word`. Lines
 * that cannot be wrapped may be long: in Markdown (by the ending of `path`) table rows, code blocks and the given rules
 * R; in code, long literals.
 */
export function findingsIn(path, text) {
  const isMarkdown = path.endsWith('.md')
  const lines = text.split('\n')
  let isCode = false
  return lines.flatMap((content, index) => {
    const found = (kind, detail) => ({ line: index + 1, kind, detail })
    if (isMarkdown && content.trimStart().startsWith('```')) isCode = !isCode
    const isWide = isMarkdown ? isCode || /^\s*\||^- \*\*R/.test(content) : LONG_LITERAL.test(content)
    const length = [...content].length
    const words = denied.flatMap(([word, instead]) => {
      const match = word.exec(content)
      return match ? [found('word', `"${match[0]}": ${instead}`)] : []
    })
    return [
      ...(length > MAX_LENGTH && !isWide ? [found('length', `${length} characters`)] : []),
      ...(!isMarkdown && TITLE_CLAUSE.test(content) ? [found('title', content.trim())] : []),
      ...(!isMarkdown && FREE_CLAUSE.test(commentBegunIn(lines, index)) ? [found('comment', content.trim())] : []),
      ...words,
    ]
  })
}

/** Returns the first words of the comment that begins in a line, or an empty text. */
function commentBegunIn(lines, index) {
  const line = lines[index].trim()
  const block = /(?:^|\s)\/\*\*?\s*(.*)$/.exec(line)
  if (block) return block[1] === '' ? (lines[index + 1] ?? '').trim().replace(/^\*\s*/, '') : block[1]
  const [, after] = /(?:^|\s)\/\/ (.*)$/.exec(line) ?? []
  const continues = line.startsWith('//') && (lines[index - 1] ?? '').trim().startsWith('//')
  return after === undefined || continues ? '' : after
}

/** Files that quote the words on purpose, or another standard's. */
const exempt = new Set([
  'docs/asvs.md',
  'docs/glossary.md',
  'scripts/check-language.mjs',
  'test/check-language.test.ts',
])
/** Folders whose files others wrote, or a build. */
const notOurs = ['**/node_modules/**', '**/dist/**', '**/.*/**', 'coverage/**', 'docs/api/**']

function main() {
  // A folder without git, such as an unpacked release, has no list of its files.
  const files = globSync('**/*.{ts,tsx,mjs,md}', { exclude: notOurs })
  for (const path of files.map((file) => file.split(sep).join('/')).filter((file) => !exempt.has(file))) {
    for (const { line, kind, detail } of findingsIn(path, readFileSync(path, 'utf8'))) {
      process.stdout.write(`${path}:${line}: ${kind}: ${detail}\n`)
      process.exitCode = 1
    }
  }
}

if (import.meta.main) main()
