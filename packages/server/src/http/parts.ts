import { setImmediate } from 'node:timers/promises'
import type { UserNumber } from '@saldo/core'
import type { Gate } from '../gate.ts'

/**
 * Yields the parts of a user's response, each made in a turn of the user and after others have had theirs (D1.36): a
 * client that takes every part at once would keep everybody waiting for the whole response.
 */
export async function* inTurns(
  turns: Gate,
  user: UserNumber,
  parts: AsyncIterable<string>,
  check: () => Promise<unknown>,
): AsyncGenerator<string> {
  const iterator = parts[Symbol.asyncIterator]()
  try {
    for (;;) {
      await setImmediate()
      const part = await turns.run(user, async () => {
        await check()
        return iterator.next()
      })
      if (part.done) return
      yield part.value
    }
  } finally {
    await iterator.return?.()
  }
}

/** So many items of a list are in a part: those of company leave have two kilobytes each. */
const ITEMS_PER_PART = 100

/**
 * Yields a response with a list as JSON in parts, since one of megabytes would keep everybody waiting (D1.36). `check`
 * throws once whoever reads the list may not any more.
 */
export async function* listInParts(
  items: readonly unknown[],
  check: () => Promise<unknown>,
): AsyncGenerator<string, void, void> {
  yield '{"items":['
  for (let first = 0; first < items.length; first += ITEMS_PER_PART) {
    await check()
    const part = items.slice(first, first + ITEMS_PER_PART).map((item) => JSON.stringify(item))
    yield `${first === 0 ? '' : ','}${part.join()}`
  }
  yield ']}'
}
