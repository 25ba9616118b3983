import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'

/** Much longer than anything takes that is waited for. */
const PATIENCE_MS = 60_000

/** The longest line with siblings beside each other. */
const MAX_LENGTH = 110

/**
 * Waits until a part of the page reads as stored in `shown/`: all of its names, texts, values, states and addresses.
 * Without a stored text it writes one, for review: to take over a change, delete the old one and run the test.
 */
export async function expectReading(part: Locator, name: string): Promise<void> {
  const file = join(import.meta.dirname, 'shown', `${name}.txt`)
  const read = async () => `${folded(withoutChance(await part.ariaSnapshot()))}\n`
  if (existsSync(file)) {
    await expect.poll(read, { timeout: PATIENCE_MS }).toBe(readFileSync(file, 'utf8'))
    return
  }
  let before = ''
  const isSettled = async () => {
    const last = before
    before = await read()
    return before === last
  }
  await expect.poll(isSettled, { interval: 1_000 }).toBe(true)
  await expect(before).toMatchFileSnapshot(file)
}

/** Leaves out the minute at the service, the size of the local database, and the number of libraries. */
function withoutChance(text: string): string {
  return text
    .replaceAll(/(19 Nov 2026, |19\.11\.2026, )(14:\d\d|2:\d\d pm)/g, '$1now')
    .replaceAll(/[\d.,]+ ?(kB|MB|GB)/g, '# kB')
    .replace(/\d+ libraries/, '# libraries')
}

interface Node {
  /** Without its dash, and without a colon before children. */
  text: string
  children: Node[]
}

/** Returns a snapshot in fewer lines: an only child behind its parent, siblings of one role beside each other. */
function folded(snapshot: string): string {
  const root: Node = { text: '', children: [] }
  const path = [root]
  for (const line of snapshot.split('\n')) {
    const [, indent = '', text = ''] = /^( *)- (.*?):?$/.exec(line) ?? []
    const node = { text, children: [] }
    path.length = indent.length / 2 + 1
    path.at(-1)?.children.push(node)
    path.push(node)
  }
  return root.children.flatMap((node) => linesOf(node)).join('\n')
}

function linesOf({ text, children }: Node): string[] {
  const [only] = children
  if (only && children.length === 1) return linesOf({ ...only, text: `${text} > ${only.text}` })
  const lines: string[] = []
  let role: string | undefined
  for (const child of children) {
    const [first = '', ...rest] = linesOf(child)
    const [, its, name = ''] = (rest.length === 0 && /^(\w+)( "(?:[^"\\]|\\.)*")?$/.exec(first)) || []
    const isBeside = its !== undefined && its === role && `${lines.at(-1)}${name}`.length < MAX_LENGTH
    if (isBeside) lines.push(`${lines.pop()} |${name}`)
    else lines.push(`  ${first}`, ...rest.map((line) => `  ${line}`))
    role = its
  }
  return [text, ...lines]
}
