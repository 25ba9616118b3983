import { TEAM_PAGE } from '@saldo/core'

/** Asks about things in groups of at most a hundred, which is what one request takes, and returns all outcomes in order. */
export async function inHundreds<Thing, Outcome>(
  things: readonly Thing[],
  ask: (some: Thing[]) => Promise<Outcome[]>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (let start = 0; start < things.length; start += TEAM_PAGE) {
    outcomes.push(...(await ask(things.slice(start, start + TEAM_PAGE))))
  }
  return outcomes
}
