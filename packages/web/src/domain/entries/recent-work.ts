import { type Entry, isTimed } from '@saldo/core'
import type { TimedRecord } from './parts.ts'

/** The project, tags and note of a piece of work. */
export type WorkSubject = Pick<TimedRecord, 'project' | 'tags' | 'note'>

/** Returns the subjects of work entries, each once, the newest first. Work without a description has none. */
export function recentWork(entries: readonly Entry[], most: number): WorkSubject[] {
  const work = entries
    .filter((entry): entry is TimedRecord => entry.kind === 'work' && isTimed(entry))
    .toSorted((a, b) => (a.started_at < b.started_at ? 1 : -1))
  const byText = new Map<string, WorkSubject>()
  for (const { project, tags, note } of work) {
    const text = subjectText({ project, tags, note })
    if (text !== '' && !byText.has(text)) byText.set(text, { project, tags, note })
  }
  return [...byText.values()].slice(0, most)
}

/** Returns a subject on one line: `Saldo Drawing #ui`. */
export function subjectText({ project, tags, note }: WorkSubject): string {
  return [project ?? '', note, ...tags.map((tag) => `#${tag}`)]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(/\s+/g, ' ')
}

/**
 * Reads a typed line: a recent subject if it is one, else a known project at its beginning, words with `#` as tags, and
 * the rest as the note. A project that nobody has used yet is not made from a line.
 */
export function readSubject(line: string, recent: readonly WorkSubject[], projects: readonly string[]): WorkSubject {
  const typed = line.trim().replaceAll(/\s+/g, ' ')
  const same = recent.find((subject) => subjectText(subject) === typed)
  if (same) return same
  const tags = [...new Set([...typed.matchAll(/(?:^|\s)#(\S+)/g)].map(([, tag = '']) => tag))]
  const words = typed.replaceAll(/(?:^|\s)#\S+/g, '').trim()
  const begins = (project: string) => `${words.toLowerCase()} `.startsWith(`${project.toLowerCase()} `)
  const project = projects.toSorted((a, b) => b.length - a.length).find(begins) ?? null
  return { project, tags, note: words.slice(project?.length ?? 0).trim() }
}
