import { Fragment, type ReactNode } from 'react'
import type { GuideBlock, Inline } from './blocks.ts'
import classes from './HelpView.module.css'

/** Shows blocks of the guide. */
export function GuideText({ blocks }: { blocks: readonly GuideBlock[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a document are its places
    <Passage key={index} block={block} />
  ))
}

const headings = ['h2', 'h2', 'h3'] as const

function Passage({ block }: { block: GuideBlock }) {
  switch (block.is) {
    case 'heading': {
      const Heading = headings[block.level - 1] ?? 'h4'
      return <Heading id={block.id}>{textOf(block.inside)}</Heading>
    }
    case 'text':
      return <p>{textOf(block.inside)}</p>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide line scrolls, by keys too
        <pre tabIndex={0}>
          <code>{block.text}</code>
        </pre>
      )
    case 'list': {
      const List = block.isNumbered ? 'ol' : 'ul'
      return (
        <List>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a document are its places
            <li key={index}>
              <GuideText blocks={item} />
            </li>
          ))}
        </List>
      )
    }
    case 'table':
      return (
        <table className={classes.table}>
          <thead>
            <tr>{cellsOf(block.head, 'th')}</tr>
          </thead>
          <tbody>
            {block.rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a document are its places
              <tr key={index}>{cellsOf(row, 'td')}</tr>
            ))}
          </tbody>
        </table>
      )
  }
}

function cellsOf(cells: readonly Inline[][], Cell: 'th' | 'td'): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the cells of a document are its places
  return cells.map((cell, index) => <Cell key={index}>{textOf(cell)}</Cell>)
}

function textOf(parts: readonly Inline[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a document are its places
  return parts.map((part, index) => <Fragment key={index}>{partOf(part)}</Fragment>)
}

function partOf(part: Inline): ReactNode {
  if (typeof part === 'string') return part
  switch (part.is) {
    case 'code':
      return <code>{part.text}</code>
    case 'strong':
      return <strong>{textOf(part.inside)}</strong>
    case 'em':
      return <em>{textOf(part.inside)}</em>
    case 'link':
      return <a href={part.href}>{textOf(part.inside)}</a>
  }
}
