import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blocksOf } from '../../../build/guide.ts'
import type { Inline } from './blocks.ts'

test('the guide becomes headings, texts, lists, tables and code, without pictures', () => {
  const text = ['# Title', '', '![A](a.png)', '', 'Some *text*', 'with `code` and [link](#title), [other](x.md).', '']
  const list = [
    '1. One',
    '   **more**',
    '',
    '   | a | b |',
    '   |---|---|',
    '   | `c` | d |',
    '2. Two',
    '',
    '```',
    '- x',
    '```',
  ]
  expect(blocksOf([...text, ...list].join('\n'))).toEqual([
    { is: 'heading', level: 1, id: 'title', inside: ['Title'] },
    {
      is: 'text',
      inside: [
        'Some ',
        { is: 'em', inside: ['text'] },
        ' with ',
        { is: 'code', text: 'code' },
        ' and ',
        { is: 'link', href: '#title', inside: ['link'] },
        ', ',
        'other',
        '.',
      ],
    },
    {
      is: 'list',
      isNumbered: true,
      items: [
        [
          { is: 'text', inside: ['One ', { is: 'strong', inside: ['more'] }] },
          { is: 'table', head: [['a'], ['b']], rows: [[[{ is: 'code', text: 'c' }], ['d']]] },
        ],
        [{ is: 'text', inside: ['Two'] }],
      ],
    },
    { is: 'code', text: '- x' },
  ])
})

test('the guide of the app has no markup left in its words, and its links lead to its headings', () => {
  const blocks = blocksOf(readFileSync(join(import.meta.dirname, '../../../../../docs/guide.md'), 'utf8'))
  const found = JSON.stringify(blocks)
  const words: string[] = []
  const collect = (parts: Inline[]) => {
    for (const part of parts) {
      if (typeof part === 'string') words.push(part)
      else if ('inside' in part) collect(part.inside)
    }
  }
  for (const block of blocks) if ('inside' in block) collect(block.inside)
  expect(words.filter((word) => /\*\*|\]\(|`|^#/.test(word))).toEqual([])
  const ids = new Set(blocks.flatMap((block) => (block.is === 'heading' ? [`#${block.id}`] : [])))
  expect(
    [...found.matchAll(/"href":"(#[^"]+)"/g)].map(([, href]) => href).filter((href) => !ids.has(href ?? '')),
  ).toEqual([])
  expect(ids.size).toBeGreaterThan(20)
})
