import { TEAM_PAGE } from '@saldo/core'

/** Asks about things by the hundred, as one request takes them, and returns all outcomes in order. */
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
