import type { UserNumber } from '@saldo/core'
import { atMost, median, type Result, within } from '../result.ts'
import { type Bench, measured, openBench } from './browser.ts'

export interface ClientSizes {
  /** Records of a usual device and of a large one. */
  few: number
  many: number
  rounds: number
  manyRounds: number
  edits: number
}

export const fullClientSizes: ClientSizes = { few: 10_000, many: 100_000, rounds: 7, manyRounds: 3, edits: 30 }
export const tinyClientSizes: ClientSizes = { few: 50, many: 100, rounds: 1, manyRounds: 1, edits: 1 }

/**
 * The client in a real browser: beside what a page does without it, in interleaved rounds, and beside what a person
 * feels.
 */
export async function client(sizes: ClientSizes): Promise<Result[]> {
  const bench = await openBench()
  try {
    const { few, many, rounds, manyRounds, edits } = sizes
    const as = await bench.filledUser(few)
    await measured(bench.page, 'coldStart', as)
    const results = [await coldStarts(bench, as, few, rounds)]
    results.push(await coldStarts(bench, await bench.filledUser(many), many, manyRounds))
    const blocks: number[] = []
    for (let round = 0; round < rounds; round += 1) blocks.push(await measured(bench.page, 'block', as))
    const { editMs, openMs } = await measured(bench.page, 'filled', as, edits)
    return [
      ...results,
      within(`longest block of the page while ${few} records come in`, median(blocks), 50, 'ms'),
      within(`from an edit to a live query that shows it, beside ${few} records`, median(editMs), 10, 'ms'),
      within(`from opening a device of ${few} records to a week of them`, median(openMs), 60, 'ms'),
    ]
  } finally {
    await bench.close()
  }
}

async function coldStarts(
  { page }: Bench,
  as: { user: UserNumber; token: string },
  records: number,
  rounds: number,
): Promise<Result> {
  const [bare, saldo]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measured(page, 'bareColdStart', as))
    saldo.push(await measured(page, 'coldStart', as))
  }
  const [bareMs, saldoMs] = [median(bare), median(saldo)]
  const what = `cold start with ${records} records; beside fetch and bulkPut`
  return atMost(what, `${bareMs.toFixed(0)} ms`, `${saldoMs.toFixed(0)} ms`, saldoMs / bareMs, 1.3)
}
