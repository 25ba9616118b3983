import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from 'recheck'
import { parseSync, Visitor } from 'rolldown/utils'
import { EMAIL_REGEX } from 'valibot'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

interface Found {
  /** Each expression as it is written, with the first file that has it. */
  literals: Map<string, { pattern: string; flags: string; file: string }>
  /** Expressions built at run time, which cannot be checked. */
  made: string[]
}

function regularExpressions(files: readonly string[]): Found {
  const found: Found = { literals: new Map(), made: [] }
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    const note = ({ callee, start, end }: { callee: { type: string }; start: number; end: number }) => {
      if (callee.type === 'Identifier' && 'name' in callee && callee.name === 'RegExp') {
        found.made.push(`${file}: ${text.slice(start, end)}`)
      }
    }
    new Visitor({
      Literal(node) {
        if ('regex' in node) found.literals.set(`${node.raw}`, { ...node.regex, file })
      },
      NewExpression: note,
      CallExpression: note,
    }).visit(parseSync(file, text).program)
  }
  return found
}

/** The checker stops after steps, not after a time: on a busy machine, slow steps would look like an attack. */
const limits = { timeout: null, seedingTimeout: null, incubationTimeout: null, attackTimeout: null }

const sources = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))

test('the checker finds what takes quadratic or exponential time', async () => {
  expect((await check('^(a+)+$', '')).status).toBe('vulnerable')
  expect((await check('\\s+$', '')).status).toBe('vulnerable')
})

test('ReDoS: every regular expression takes linear time, and none is built from text', async () => {
  const { literals, made } = regularExpressions(sources)
  expect(literals.size).toBeGreaterThan(70)
  literals.set('e-mail addresses', { pattern: EMAIL_REGEX.source, flags: EMAIL_REGEX.flags, file: 'valibot' })
  const unsafe = []
  for (const { pattern, flags, file } of literals.values()) {
    const { status } = await check(pattern, flags, limits)
    if (status !== 'safe') unsafe.push(`${status}: /${pattern}/${flags} in ${file}`)
  }
  expect(unsafe).toEqual([])
  expect(made).toEqual([])
})
