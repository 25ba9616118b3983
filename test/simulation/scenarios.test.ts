import type { PullResponse } from '@saldo/core'
import { expect, test } from 'vitest'
import { heavyTest } from '../../packages/server/test/heavy-test.ts'
import { problemOf, run } from './run.ts'
import { type Scenario, stepsOf } from './scenario.ts'

/** Schedules that once lost, doubled or held up a change, each cut down to what it takes. */
const schedules: Record<string, Omit<Scenario, 'seed'>> = {
  '[D7.34] cold starts that the network interrupts do not count as failed': {
    devices: 1,
    steps: stepsOf(`
      loseRequest, wake, loseRequest, wake, loseRequest, wake, loseRequest, wake, loseRequest, wake`),
  },
  '[D7.32] the first cold start after a restore offers a delete that no pull confirmed': {
    devices: 1,
    steps: stepsOf(`
      loseRequest, backUp, delete, carry, answer, restore, program 0 4 5, program 0 4 2`),
  },
  '[D7.33] an offer is not blocked by an earlier claim of the device': {
    devices: 1,
    steps: stepsOf(`
      calm, skew 0 1 60, put 0 0 2, carry, answer, backUp, program 0 0 2, calm, restore`),
  },
  '[D7.40] an answer of the old history confirms nothing and reveals the reset': {
    devices: 1,
    steps: stepsOf(`
      backUp, calm, put 0 0 2, carry, stall, restore, program 0 8 5, program 0 8 2, wake, flow 0 3, resume,
      answer, loseRequest`),
  },
  '[D7.29] an answer that arrives during a cold start is offered too': {
    devices: 1,
    steps: stepsOf(`
      backUp, program 0 4 5, calm, put 0 0 2, carry, stall, restore, program 0 8 5, program 0 8 2, wake,
      flow 0 2, resume, answer`),
  },
  '[D7.16] an edit made during a direct write is sent after its answer': {
    devices: 1,
    steps: stepsOf(`
      calm, put 0 0 2, put 0 0 3, carry, stall, flow 0 29, resume, answer`),
  },
  '[D7.9] a 401 to a direct write asks for sign-in': {
    devices: 1,
    steps: stepsOf(`
      calm, put 0 0 2, expire, carry, answer`),
  },
  '[D7.19] a change at which the service fails three times becomes a rejected change': {
    devices: 1,
    steps: stepsOf(`
      calm, cut, put 0 0 2, put 0 4 32, put 0 8 3, join`),
  },
  '[D7.17] two tabs without locks do not send the same outbox forever': {
    devices: 1,
    lockless: true,
    steps: stepsOf(`
      calm, put 0 0 2, open`),
  },
  '[D10.8] a direct write during the digest request is not a difference': {
    devices: 1,
    steps: stepsOf(`
      carry, answer, carry, answer, carry, answer, wake, carry, answer, carry, put 0 3 2, carry, answer 1,
      answer`),
  },
  '[D7.53] a change is sent again if the answer to its direct write could not be stored': {
    devices: 1,
    steps: stepsOf(`
      calm, put 0 0 2, carry, fill, answer, empty, calm`),
  },
  '[D7.53] a tab opens on a full disk that cannot delete old conflicts': {
    devices: 2,
    steps: stepsOf(`
      calm, skew 1 2 4, put 0 0 2, put 1 0 3, carry, carry, answer, answer, month, fill 1, open 1`),
  },
  '[D10.11] digests reveal records lost by a restore between two pages of a snapshot': {
    devices: 3,
    steps: stepsOf(`
      close 41180 42205 50457, carry 2601 52946 11581, carry 58225 11280 24292, backUp 7012 51822 22127,
      close 31368 10452 20037, flow 17989 61378 32219, answer 28547 1885 33744, carry 24858 42389 31480,
      restore 4166 46573 61981`),
  },
  '[D7.26] a direct write during a cold start is not replaced by the older snapshot': {
    devices: 4,
    steps: stepsOf(`
      carry 36692 17953 36102, put 25185 0 53755, carry 40551 58979 48803, carry 261 58374 18224,
      carry 54341 10787 9424, carry 9312 5768 11568, put 15986 0 14306, carry 39841 57213 57375,
      answer 61319 15323 61500`),
  },
}

/** Those whose rules the others, and the tests of the client, prove too. */
const more: typeof schedules = {
  '[D7.36] a lost direct write is enough to recognise a restore': {
    devices: 1,
    steps: stepsOf(`
      calm, backUp, put 0 0 2, carry, answer, restore`),
  },
  '[D7.17] after a known history reset, an answer of the old history confirms nothing': {
    devices: 1,
    steps: stepsOf(`
      backUp, program 0 4 5, calm, put 0 0 2, carry, stall, restore, program 0 8 5, program 0 8 2, wake,
      flow 0 3, resume, answer, loseRequest`),
  },
  '[D7.35] a restore between the snapshot and the next pull starts the cold start again': {
    devices: 1,
    steps: stepsOf(`
      backUp, program 0 0 5, carry, answer, restore, program 0 4 5`),
  },
  '[D6.10] [D7.21] of two edits of the same millisecond the loser becomes a conflict': {
    devices: 2,
    steps: stepsOf(`
      calm, skew 1 2 4, put 0 0 2, put 1 0 3, carry, carry, answer, answer`),
  },
  '[D7.32] deleted closings of the old history are not expected of the service': {
    devices: 1,
    steps: stepsOf(`
      calm, backUp, close 0 1, close, calm, restore`),
  },
  '[D7.32] a delete between two restores is not lost with the second': {
    devices: 1,
    steps: stepsOf(`
      backUp, calm, wake, delete 0 1, carry, delete 0 6, carry, restore, carry, restore`),
  },
  '[D7.40] an answer with a known version and another time reveals a history reset': {
    devices: 1,
    steps: stepsOf(`
      backUp, delete 0 6, flow 0 29, wake, delete 0 1, carry 1, delete 0 6, restore, carry 1, restore`),
  },
  '[D7.9] a 401 to a direct write of a follower asks for sign-in; then the change is sent': {
    devices: 1,
    steps: stepsOf(`
      open, calm, put 1 0 2, expire, carry, answer`),
  },
  '[D7.53] a change is sent again if its push result could not be stored': {
    devices: 1,
    steps: stepsOf(`
      calm, cut 0 1, put 0 0 2, join, carry, fill, answer, empty, calm`),
  },
  '[D7.21] a rejection that could not be stored does not hold once the change has lost to a later one': {
    devices: 1,
    steps: stepsOf(`
      calm, put 0 3 6, carry, answer, calm, cut 0 1, put 0 7 6, put 0 0 2, join, carry, fill, answer, empty,
      pass 1, program 0 7 9, calm`),
  },
  '[D7.10] a direct write that is rejected for its content is not kept': {
    devices: 1,
    steps: stepsOf(`
      calm, put 0 3 6, carry, answer, put 0 7 6, carry, answer, calm`),
  },
  '[D7.29] a record that another device deletes during a cold start is offered in vain': {
    devices: 4,
    steps: stepsOf(`
      delete 18721 1 60452, put 1364 0 40653, crashSoon 8845 51798 36935, carry 33172 28539 58,
      answer 39006 40343 27709, delete 10219 1 35055`),
  },
  '[D7.40] a late answer to a delete of the old history loses nothing': {
    devices: 3,
    steps: stepsOf(`
      flow 29035 59585 53247, flow 38990 10499 17448, delete 40616 11 14603, delete 34675 2 14994,
      backUp 24733 20243 21713, flow 52731 10751 15588, wake 38423 29748 15251, wake 15715 45387 6938,
      carry 52612 141 52914, restore 64178 33182 54485, stall 33984 20945 52705, flow 1825 17677 28825,
      backUp 40477 35427 6377, flow 2951 43065 29145`),
  },
}

const prove = (schedule: Omit<Scenario, 'seed'>) => async () => {
  expect(await problemOf({ seed: 1, ...schedule })).toBeUndefined()
}
for (const [title, schedule] of Object.entries(schedules)) test(title, prove(schedule))
for (const [title, schedule] of Object.entries(more)) heavyTest(title, prove(schedule))

test('[D7.32] a delete known only from a late answer is offered when its record reappears', async () => {
  // One makes a record offline, and another, which has never seen it, deletes it a moment later. The restored history
  // passes the version of the deletion before its answer comes.
  const steps = stepsOf(`
    calm, backUp, calm, cut 1, put 1 0 2, pass, delete, carry, stall, restore, program 0 8 5, program 0 8 2,
    wake, flow 0 30, resume, answer, join 1`)
  const { changes } = JSON.parse(await run({ seed: 1, devices: 2, steps })) as PullResponse
  expect(changes.entries?.map(({ id }) => id)).toEqual(['00000000-0000-4000-8000-000000000003'])
})
