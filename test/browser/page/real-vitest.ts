// Vitest's expectations, and tests that the page runs when it is asked to.
export { expect } from 'vitest'

type Work = () => unknown

const tests = new Map<string, Work>()
let cleanUp: Work[] = []

export function describe(_name: string, body: () => void): void {
  body()
}

export function test(title: string, body: Work): void {
  if (tests.has(title)) throw new Error(`two tests are called «${title}»`)
  tests.set(title, body)
}

export function onTestFinished(work: Work): void {
  cleanUp.push(work)
}

export function titles(): string[] {
  return [...tests.keys()]
}

/** Runs one test, and rejects as it does. */
export async function run(title: string): Promise<void> {
  try {
    await tests.get(title)?.()
  } catch (error) {
    // Only its own text leaves the page.
    const { message, cause } = error as Error
    throw cause instanceof Error ? new Error(`${message}\n${cause.stack}`, { cause }) : error
  } finally {
    const works = cleanUp.reverse()
    cleanUp = []
    for (const work of works) await work()
  }
}
