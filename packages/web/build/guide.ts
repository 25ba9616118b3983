import { readFileSync } from 'node:fs'
import { type MarkedToken, marked, type Token, type Tokens } from 'marked'
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

/** Returns the blocks of a text in Markdown. */
export function blocksOf(markdown: string): GuideBlock[] {
  return ofLibrary(marked.lexer(markdown)).flatMap(blockOf)
}

/** Without an extension, all tokens are of the library itself. */
const ofLibrary = (tokens: Token[] = []) => tokens as MarkedToken[]

function blockOf(token: MarkedToken): GuideBlock[] {
  switch (token.type) {
    case 'heading':
      return [{ is: 'heading', level: token.depth, id: idOf(token.text), inside: inlineOf(token.tokens) }]
    case 'code':
      return [{ is: 'code', text: token.text }]
    case 'list':
      return [
        {
          is: 'list',
          isNumbered: token.ordered,
          items: token.items.map(({ tokens }) => ofLibrary(tokens).flatMap(blockOf)),
        },
      ]
    case 'table':
      return [{ is: 'table', head: token.header.map(cellOf), rows: token.rows.map((row) => row.map(cellOf)) }]
    case 'paragraph':
    case 'text': {
      const inside = inlineOf(token.tokens)
      return inside.length > 0 ? [{ is: 'text', inside }] : []
    }
    default:
      return []
  }
}

const cellOf = ({ tokens }: Tokens.TableCell) => inlineOf(tokens)

/** Returns the parts of a line. Links to other documents are their words alone: the app does not have them. */
function inlineOf(tokens: Token[] | undefined): Inline[] {
  return ofLibrary(tokens).flatMap((token): Inline[] => {
    switch (token.type) {
      case 'image':
        return []
      case 'codespan':
        return [{ is: 'code', text: token.text }]
      case 'strong':
      case 'em':
        return [{ is: token.type, inside: inlineOf(token.tokens) }]
      case 'link': {
        const inside = inlineOf(token.tokens)
        return /^(#|https:)/.test(token.href) ? [{ is: 'link', href: token.href, inside }] : inside
      }
      default:
        return [token.raw.replaceAll('\n', ' ')]
    }
  })
}

function idOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\d -]/gu, '')
    .replaceAll(' ', '-')
}
