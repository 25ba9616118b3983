import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import type { GuideBlock, Inline } from '../src/features/help/blocks.ts'

const GUIDE = 'virtual:guide'

/** The user's guide as a module of the app, without its pictures. */
export function guide(file: string): Plugin {
  return {
    name: 'saldo-guide',
    resolveId: (id) => (id === GUIDE ? `\0${GUIDE}` : null),
    load(id) {
      if (id !== `\0${GUIDE}`) return null
      this.addWatchFile(file)
      return `export const guide = ${JSON.stringify(blocksOf(readFileSync(file, 'utf8')))}`
    },
  }
}

const ITEM = /^(-|\d+\.) /
const FENCE = /^```/

/** Returns the blocks of a text in the Markdown of our documents. */
export function blocksOf(markdown: string): GuideBlock[] {
  const lines = markdown.split('\n')
  const blocks: GuideBlock[] = []
  const take = (isPart: (line: string) => boolean): string[] => {
    const end = lines.findIndex((line) => !isPart(line))
    return lines.splice(0, end < 0 ? lines.length : end)
  }
  while (lines.length > 0) {
    const line = lines[0] as string
    const [, marks, heading] = /^(#+) (.+)$/.exec(line) ?? []
    if (line.trim() === '' || line.startsWith('![')) lines.shift()
    else if (marks && heading) {
      lines.shift()
      blocks.push({ is: 'heading', level: marks.length, id: idOf(heading), inside: inlineOf(heading) })
    } else if (FENCE.test(line)) {
      lines.shift()
      blocks.push({ is: 'code', text: take((next) => !FENCE.test(next)).join('\n') })
      lines.shift()
    } else if (line.startsWith('|')) blocks.push(tableOf(take((next) => next.startsWith('|'))))
    else if (ITEM.test(line)) blocks.push(listOf(take((next) => ITEM.test(next) || /^( |$)/.test(next))))
    else blocks.push({ is: 'text', inside: inlineOf(take((next) => next.trim() !== '' && !ITEM.test(next)).join(' ')) })
  }
  return blocks
}

function listOf(lines: readonly string[]): GuideBlock {
  const items: string[][] = []
  for (const line of lines) {
    if (ITEM.test(line)) items.push([line.replace(ITEM, '')])
    else items.at(-1)?.push(line.trimStart())
  }
  return { is: 'list', isNumbered: /^\d/.test(lines[0] ?? ''), items: items.map((item) => blocksOf(item.join('\n'))) }
}

function tableOf(lines: readonly string[]): GuideBlock {
  const [head = [], , ...rows] = lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => inlineOf(cell.trim())),
  )
  return { is: 'table', head, rows }
}

const MARKED = /`(?<code>[^`]+)`|\*\*(?<strong>.+?)\*\*|\*(?<em>[^*]+)\*|\[(?<label>[^\]]+)\]\((?<href>[^)]+)\)/

/** Returns the parts of a line. Links to other documents are their words alone: the app does not have them. */
function inlineOf(text: string): Inline[] {
  const found = MARKED.exec(text)
  if (!found) return text === '' ? [] : [text]
  const { code, strong, em, label, href } = found.groups ?? {}
  const before = text.slice(0, found.index)
  const rest = inlineOf(text.slice(found.index + found[0].length))
  const part = (): Inline[] => {
    if (code) return [{ is: 'code', text: code }]
    if (strong) return [{ is: 'strong', inside: inlineOf(strong) }]
    if (em) return [{ is: 'em', inside: inlineOf(em) }]
    const inside = inlineOf(label ?? '')
    return href && /^(#|https:)/.test(href) ? [{ is: 'link', href, inside }] : inside
  }
  return [...(before === '' ? [] : [before]), ...part(), ...rest]
}

function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d -]/gu, '')
    .replaceAll(' ', '-')
}
