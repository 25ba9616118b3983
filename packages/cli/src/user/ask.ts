import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { asLine } from '@saldo/core'

/** True if somebody sits at a terminal who can answer. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true
}

/**
 * Asks at the terminal. A secret is not shown, and is returned exactly as it is typed. The answer is empty if the
 * terminal ends the input.
 */
export async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  if (process.stdin.readableEnded) return ''
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: isSecret ? hidden : process.stderr, terminal: true })
  if (isSecret) process.stderr.write(question)
  try {
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
    const answer = await Promise.race([lines.question(isSecret ? '' : question), ended])
    return isSecret ? answer : answer.trim()
  } finally {
    lines.close()
    if (isSecret) process.stderr.write('\n')
  }
}

/** Asks for the number of a choice; `undefined` where nobody can answer. */
export async function choose(choices: readonly string[]): Promise<string | undefined> {
  if (!canAsk()) return undefined
  for (const [index, choice] of choices.entries()) process.stderr.write(`${index + 1}) ${asLine(choice)}\n`)
  return ask('Which one? ')
}
