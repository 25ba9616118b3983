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
