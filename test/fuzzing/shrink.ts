import { fuzzRound, type Range } from './round.ts'

/** Time limit for shrinking, in milliseconds. */
const PATIENCE_MS = 60_000

/** The indexes of requests of a round that are enough for a problem like it, as text; all where fewer are not. */
export async function shrink(range: Range, seed: number, requests: number, { message }: Error): Promise<string> {
  const [problem = ''] = message.split('\n')
  const endMs = Date.now() + PATIENCE_MS
  let left = Array.from({ length: requests }, (_, index) => index)
  const fails = async (only: readonly number[]) => {
    const outcome = await fuzzRound({ ...range, tally: new Map() }, seed, requests, new Set(only)).catch(
      (error: Error) => error,
    )
    return outcome instanceof Error && outcome.message.startsWith(problem)
  }
  for (let size = requests / 2; size >= 1; size /= 2) {
    for (let at = 0; at < left.length && Date.now() < endMs; ) {
      const fewer = left.toSpliced(at, Math.ceil(size))
      if (await fails(fewer)) left = fewer
      else at += Math.ceil(size)
    }
  }
  return left.join(', ')
}
