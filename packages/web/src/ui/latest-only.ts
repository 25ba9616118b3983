/** The outcome of a question to the service. */
export type Outcome<Answer> = { answer: Answer } | { error: unknown }

/** The last answer of the service, and why the last question failed, if it did. */
export interface Known<Answer> {
  answer?: Answer
  failed?: { error: unknown }
}

/** Returns a function that asks, and shows the outcome unless it has asked again meanwhile. */
export function latestOnly<Answer>(
  show: (outcome: Outcome<Answer>) => void,
): (ask: () => Promise<Answer>) => Promise<void> {
  let latest = 0
  return async (ask) => {
    latest += 1
    const turn = latest
    const outcome = await ask().then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if (turn === latest) show(outcome)
  }
}

/** Returns what is known after an outcome: the answer before stays while a later question fails. */
export function knownAfter<Answer>(before: Known<Answer>, outcome: Outcome<Answer>): Known<Answer> {
  return 'answer' in outcome ? outcome : { ...before, failed: outcome }
}
