import type { Entry } from '@saldo/core'
import type { WorkRecord } from './parts.ts'

/** The project, tags and note of a piece of work, and whether it counts. */
export type WorkSubject = Pick<WorkRecord, 'project' | 'tags' | 'note' | 'counts'>

/** The word of a typed line that says that work does not count. */
const NOT_COUNTED = '!'

/** Returns the subjects of work entries, each once, the newest first. Work without a description has none. */
export function recentWork(entries: readonly Entry[], most: number): WorkSubject[] {
  const work = entries
    .filter((entry) => entry.kind === 'work')
    .toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1))
  const byText = new Map<string, WorkSubject>()
  for (const { project, tags, note, counts } of work) {
    const subject = { project, tags, note, counts }
    const text = subjectText(subject)
    if (text !== '' && text !== NOT_COUNTED && !byText.has(text)) byText.set(text, subject)
  }
  return [...byText.values()].slice(0, most)
}

/** Returns a subject on one line: `Saldo Drawing #ui`, with a `!` at its end if it does not count. */
export function subjectText({ project, tags, note, counts }: WorkSubject): string {
  return [project ?? '', note, ...tags.map((tag) => `#${tag}`), counts ? '' : NOT_COUNTED]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
}

/**
 * Reads a typed line: a recent subject if it is one, else a project (`@Garden` or `@"Front garden"` anywhere, or a
 * known one at the beginning), words with `#` as tags, a `!` of its own as work that does not count, and the rest as
 * the note.
 */
export function readSubject(line: string, recent: readonly WorkSubject[], projects: readonly string[]): WorkSubject {
  const typed = line.trim().replaceAll(/\s+/g, ' ')
  const same = recent.find((subject) => subjectText(subject) === typed)
  if (same) return same
  const [marked = '', quoted, plain] = /(?:^|\s)@(?:"([^"]+)"|(\S+))/.exec(typed) ?? []
  const unmarked = typed.replace(marked, '')
  const tags = [...new Set([...unmarked.matchAll(/(?:^|\s)#(\S+)/g)].map(([, tag = '']) => tag))]
  const counts = !unmarked.split(' ').includes(NOT_COUNTED)
  const words = unmarked.replaceAll(/(?:^|\s)(?:#\S+|!(?=\s|$))/g, '').trim()
  const named = quoted ?? plain
  if (named !== undefined) {
    const known = projects.find((project) => project.toLowerCase() === named.toLowerCase())
    return { project: known ?? named, tags, note: words, counts }
  }
  const begins = (project: string) => `${words.toLowerCase()} `.startsWith(`${project.toLowerCase()} `)
  const project = projects.toSorted((a, b) => b.length - a.length).find(begins) ?? null
  return { project, tags, note: words.slice(project?.length ?? 0).trim(), counts }
}
