import { itemAt } from '@saldo/core'
import { AND, fold } from '../../reading/words.ts'
import type { TextPart } from './phrase-parts.ts'
import { FILLERS, PROJECT_WORDS, SMALL_WORDS } from './words.ts'

/** The words of a line about work, beside its time. */
export interface EntryText {
  project: string | null
  /** True if no entry has the project yet. */
  isNew: boolean
  tags: string[]
  note: string
  /** False if the line says that the work does not count. */
  counts: boolean
}

/** True for an address of the web, or of a mail. */
const isAddress = (word: string) => /:\/\/|^www\.|.@\w+\.\w/.test(word)

const plain = (word: string) => fold(word).replace(/^["„“«]|["“”»]?[,;:]?$/g, '')

/**
 * Returns what words can mean, the likeliest first: known projects come before unknown ones, and a text with a small
 * word such as "with" is a note.
 */
function textsOf(parts: readonly TextPart[], known: readonly string[]): EntryText[] {
  const counts = !parts.some(({ is }) => is === 'notCounted')
  const tags = parts.flatMap(({ is, text }) => (is === 'tag' ? [text] : []))
  const words = withoutEdges(wordsIn(parts))
  const textOf = (project: string | null, rest: readonly string[]): EntryText => {
    const named = known.find((name) => project !== null && fold(name) === fold(project)) ?? project
    const isNew = named !== null && !known.includes(named)
    return { project: named, isNew, tags, note: withoutEdges(rest).join(' '), counts }
  }
  const marked = parts.filter(({ is }) => is === 'project')
  if (marked.length > 0) {
    // Of several projects each can be meant; the others stay as words.
    return marked.map((one) => textOf(one.text, wordsIn(parts.map((part) => (part === one ? part : asWord(part))))))
  }
  // Of two projects each can be meant.
  const found = findKnown(words, known)
  const other =
    found &&
    findKnown(
      words,
      known.filter((name) => !fold(found.name).includes(fold(name))),
      true,
    )
  if (found) {
    return [found, ...(other ? [other] : [])].map(({ name, from, count }) => textOf(name, words.toSpliced(from, count)))
  }
  const [first, ...rest] = words
  if (first === undefined || words.every((word) => FILLERS.has(plain(word)))) return [textOf(null, [])]
  if (['project', 'projekt'].includes(plain(first)) && rest[0] !== undefined) return [textOf(rest[0], rest.slice(1))]
  if (first.endsWith(':') && /\p{L}/u.test(first)) return [textOf(first.slice(0, -1), rest)]
  const isNote =
    words.some((word) => SMALL_WORDS.has(plain(word)) || /[,;.!?]$/.test(word)) ||
    !/^[^"„“«]*\p{L}{2}/u.test(first) ||
    words.some(isAddress)
  if (isNote) return [textOf(null, words)]
  return rest.length === 0 ? [textOf(first, [])] : [textOf(first, rest), textOf(null, words)]
}

function asWord(part: TextPart): TextPart {
  return part.is === 'project' ? { is: 'word', text: `@${part.text}` } : part
}

function wordsIn(parts: readonly TextPart[]): string[] {
  return parts.flatMap(({ is, text }) => (is === 'word' ? [text] : []))
}

/** Finds the longest project at the start, at the end, after a word such as "for", or after "and" if it `isListed`. */
function findKnown(words: readonly string[], known: readonly string[], isListed = false) {
  const texts = words.map(plain)
  for (const name of known.toSorted((a, b) => b.length - a.length)) {
    const parts = fold(name).split(' ')
    for (let at = 0; at + parts.length <= texts.length; at += 1) {
      if (!parts.every((part, index) => texts[at + index] === part)) continue
      const before = texts[at - 1] ?? ''
      const isJoined = PROJECT_WORDS.has(before)
      const isSmall = SMALL_WORDS.has(before) && !(isListed && AND.has(before))
      const isLast = at + parts.length === texts.length && !isSmall
      if (isJoined) return { name, from: at - 1, count: parts.length + 1 }
      if (at === 0 || isLast) return { name, from: at, count: parts.length }
    }
  }
  return undefined
}

/** Words such as "and" between two times belong to neither, and so does a comma. */
function withoutEdges(words: readonly string[]): readonly string[] {
  const last = words.at(-1) ?? ''
  if (/[,;]$/.test(last)) return withoutEdges([...words.slice(0, -1), ...(last.length > 1 ? [last.slice(0, -1)] : [])])
  const isEdge = (word: string | undefined) => word !== undefined && AND.has(plain(word))
  if (isEdge(words[0])) return withoutEdges(words.slice(1))
  return isEdge(words.at(-1)) ? withoutEdges(words.slice(0, -1)) : words
}

/**
 * Returns the texts of each of several times. Words between them belong to the time before (or after) them, if each
 * has some; words at either end of the line belong to all. `groups` has the words before the first time, after it,
 * and so on.
 */
export function textsOfEach(groups: readonly TextPart[][], known: readonly string[]): EntryText[][] {
  const count = groups.length - 1
  const shared = textsOf(groups.flat(), known).map((text) => Array.from({ length: count }, () => text))
  // "and" alone between two times says nothing about either.
  const isSaid = ({ is, text }: TextPart) => is !== 'word' || !AND.has(plain(text))
  const said = groups.map((group) => (group.some(isSaid) ? group : []))
  const [first = [], ...after] = said
  const isFilled = (group: readonly TextPart[]) => group.length > 0
  const hasProject = (group: readonly TextPart[]) => group.some(({ is }) => is === 'project')
  const last = after.at(-1) ?? []
  const isOneEach = count === 2 && hasProject(first) && !hasProject(itemAt(after, 0)) && hasProject(last)
  if (isOneEach) return own([[...first, ...itemAt(after, 0)], last], known)
  if (count === 1 || after.slice(0, -1).every((group) => group.length === 0)) return shared
  if (first.length === 0 && after.every(isFilled)) return own(after, known)
  const before = said.slice(0, -1)
  if (before.every(isFilled) && !isFilled(last)) return own(before, known)
  return [...shared, ...own([[...first, ...(after[0] ?? [])], ...after.slice(1)], known)]
}

function own(groups: readonly TextPart[][], known: readonly string[]): EntryText[][] {
  const each = groups.map((group) => textsOf(group, known))
  const count = Math.max(...each.map(({ length }) => length))
  return Array.from({ length: count }, (_, index) => each.map((texts) => texts[index] ?? itemAt(texts, -1)))
}
