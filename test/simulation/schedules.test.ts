import type { PullResponse } from '@saldo/core'
import { expect, test } from 'vitest'
import { problemOf, run } from './run.ts'
import type { Schedule } from './schedule.ts'
import type { Step } from './steps.ts'

/** Schedules that once lost, doubled or held up a change, each cut down to what it takes. */
const schedules: Record<string, Omit<Schedule, 'seed'>> = {
  '[D7.34] cold starts that the network interrupts do not count as failed': {
    devices: 1,
    steps: Array.from({ length: 5 }, (): Step[] => [
      ['loseRequest', 0, 0, 0],
      ['wake', 0, 0, 0],
    ]).flat(),
  },
  '[D7.32] the first cold start after a restore offers a delete that no pull confirmed': {
    devices: 1,
    steps: [
      ['loseRequest', 0, 0, 0],
      ['backUp', 0, 0, 0],
      ['delete', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['restore', 0, 0, 0],
      ['program', 0, 4, 5],
      ['program', 0, 4, 2],
    ],
  },
  '[D7.36] a lost direct write is enough to recognise a restore': {
    devices: 1,
    steps: [
      ['calm', 0, 0, 0],
      ['backUp', 0, 0, 0],
      ['put', 0, 0, 2],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['restore', 0, 0, 0],
    ],
  },
  '[D7.33] an offer is not blocked by an earlier claim of the device': {
    devices: 1,
    steps: [
      ['calm', 0, 0, 0],
      ['skew', 0, 1, 60],
      ['put', 0, 0, 2],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['backUp', 0, 0, 0],
      ['program', 0, 0, 2],
      ['calm', 0, 0, 0],
      ['restore', 0, 0, 0],
    ],
  },
  '[D7.40] an answer of the old history confirms nothing and reveals the reset': {
    devices: 1,
    steps: [
      ['backUp', 0, 0, 0],
      ['calm', 0, 0, 0],
      ['put', 0, 0, 2],
      ['carry', 0, 0, 0],
      ['stall', 0, 0, 0],
      ['restore', 0, 0, 0],
      ['program', 0, 8, 5],
      ['program', 0, 8, 2],
      ['wake', 0, 0, 0],
      ['flow', 0, 3, 0],
      ['resume', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['loseRequest', 0, 0, 0],
    ],
  },
  '[D7.17] after a known history reset, an answer of the old history confirms nothing': {
    devices: 1,
    steps: [
      ['backUp', 0, 0, 0],
      ['program', 0, 4, 5],
      ['calm', 0, 0, 0],
      ['put', 0, 0, 2],
      ['carry', 0, 0, 0],
      ['stall', 0, 0, 0],
      ['restore', 0, 0, 0],
      ['program', 0, 8, 5],
      ['program', 0, 8, 2],
      ['wake', 0, 0, 0],
      ['flow', 0, 3, 0],
      ['resume', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['loseRequest', 0, 0, 0],
    ],
  },
  '[D7.29] an answer that arrives during a cold start is offered too': {
    devices: 1,
    steps: [
      ['backUp', 0, 0, 0],
      ['program', 0, 4, 5],
      ['calm', 0, 0, 0],
      ['put', 0, 0, 2],
      ['carry', 0, 0, 0],
      ['stall', 0, 0, 0],
      ['restore', 0, 0, 0],
      ['program', 0, 8, 5],
      ['program', 0, 8, 2],
      ['wake', 0, 0, 0],
      ['flow', 0, 2, 0],
      ['resume', 0, 0, 0],
      ['answer', 0, 0, 0],
    ],
  },
  '[D7.35] a restore between the snapshot and the next pull starts the cold start again': {
    devices: 1,
    steps: [
      ['backUp', 0, 0, 0],
      ['program', 0, 0, 5],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['restore', 0, 0, 0],
      ['program', 0, 4, 5],
    ],
  },
  '[D6.10] [D7.21] of two edits of the same millisecond the loser becomes a conflict': {
    devices: 2,
    steps: [
      ['calm', 0, 0, 0],
      ['skew', 1, 2, 4],
      ['put', 0, 0, 2],
      ['put', 1, 0, 3],
      ['carry', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['answer', 0, 0, 0],
    ],
  },
  '[D7.16] an edit made during a direct write is sent after its answer': {
    devices: 1,
    steps: [
      ['calm', 0, 0, 0],
      ['put', 0, 0, 2],
      ['put', 0, 0, 3],
      ['carry', 0, 0, 0],
      ['stall', 0, 0, 0],
      ['flow', 0, 29, 0],
      ['resume', 0, 0, 0],
      ['answer', 0, 0, 0],
    ],
  },
  '[D7.32] deleted closings of the old history are not expected of the service': {
    devices: 1,
    steps: [
      ['calm', 0, 0, 0],
      ['backUp', 0, 0, 0],
      ['close', 0, 1, 0],
      ['close', 0, 0, 0],
      ['calm', 0, 0, 0],
      ['restore', 0, 0, 0],
    ],
  },
  '[D7.32] a delete between two restores is not lost with the second': {
    devices: 1,
    steps: [
      ['backUp', 0, 0, 0],
      ['calm', 0, 0, 0],
      ['wake', 0, 0, 0],
      ['delete', 0, 1, 0],
      ['carry', 0, 0, 0],
      ['delete', 0, 6, 0],
      ['carry', 0, 0, 0],
      ['restore', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['restore', 0, 0, 0],
    ],
  },
  '[D7.40] an answer with a known version and another time reveals a history reset': {
    devices: 1,
    steps: [
      ['backUp', 0, 0, 0],
      ['delete', 0, 6, 0],
      ['flow', 0, 29, 0],
      ['wake', 0, 0, 0],
      ['delete', 0, 1, 0],
      ['carry', 1, 0, 0],
      ['delete', 0, 6, 0],
      ['restore', 0, 0, 0],
      ['carry', 1, 0, 0],
      ['restore', 0, 0, 0],
    ],
  },
  '[D7.9] a 401 to a direct write asks for sign-in': {
    devices: 1,
    steps: [
      ['calm', 0, 0, 0],
      ['put', 0, 0, 2],
      ['expire', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
    ],
  },
  '[D7.19] a change at which the service fails three times becomes a rejected change': {
    devices: 1,
    steps: [
      ['calm', 0, 0, 0],
      ['cut', 0, 0, 0],
      ['put', 0, 0, 2],
      ['put', 0, 4, 32],
      ['put', 0, 8, 3],
      ['join', 0, 0, 0],
    ],
  },
  '[D7.9] a 401 to a direct write of a follower asks for sign-in; then the change is sent': {
    devices: 1,
    steps: [
      ['open', 0, 0, 0],
      ['calm', 0, 0, 0],
      ['put', 1, 0, 2],
      ['expire', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
    ],
  },
  '[D7.17] two tabs without locks do not send the same outbox forever': {
    devices: 1,
    lockless: true,
    steps: [
      ['calm', 0, 0, 0],
      ['put', 0, 0, 2],
      ['open', 0, 0, 0],
    ],
  },
  '[D10.8] a direct write during the digest request is not a difference': {
    devices: 1,
    steps: [
      // The cold start, and the pull that follows it.
      ...Array.from({ length: 3 }, (): Step[] => [
        ['carry', 0, 0, 0],
        ['answer', 0, 0, 0],
      ]).flat(),
      ['wake', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['put', 0, 3, 2],
      ['carry', 0, 0, 0],
      ['answer', 1, 0, 0],
      ['answer', 0, 0, 0],
    ],
  },
  '[D7.53] a change is sent again if the answer to its direct write could not be stored': {
    devices: 1,
    steps: [
      ['calm', 0, 0, 0],
      ['put', 0, 0, 2],
      ['carry', 0, 0, 0],
      ['fill', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['empty', 0, 0, 0],
      ['calm', 0, 0, 0],
    ],
  },
  '[D7.53] a change is sent again if its push result could not be stored': {
    devices: 1,
    steps: [
      ['calm', 0, 0, 0],
      ['cut', 0, 1, 0],
      ['put', 0, 0, 2],
      ['join', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['fill', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['empty', 0, 0, 0],
      ['calm', 0, 0, 0],
    ],
  },
  '[D7.53] a tab opens on a full disk that cannot delete old conflicts': {
    devices: 2,
    steps: [
      ['calm', 0, 0, 0],
      ['skew', 1, 2, 4],
      ['put', 0, 0, 2],
      ['put', 1, 0, 3],
      ['carry', 0, 0, 0],
      ['carry', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['answer', 0, 0, 0],
      ['month', 0, 0, 0],
      ['fill', 1, 0, 0],
      ['open', 1, 0, 0],
    ],
  },
  '[D10.11] digests reveal records lost by a restore between two pages of a snapshot': {
    devices: 3,
    steps: [
      ['close', 41_180, 42_205, 50_457],
      ['carry', 2_601, 52_946, 11_581],
      ['carry', 58_225, 11_280, 24_292],
      ['backUp', 7_012, 51_822, 22_127],
      ['close', 31_368, 10_452, 20_037],
      ['flow', 17_989, 61_378, 32_219],
      ['answer', 28_547, 1_885, 33_744],
      ['carry', 24_858, 42_389, 31_480],
      ['restore', 4_166, 46_573, 61_981],
    ],
  },
  '[D7.29] a record that another device deletes during a cold start is offered in vain': {
    devices: 4,
    steps: [
      ['delete', 18_721, 1, 60_452],
      ['put', 1_364, 0, 40_653],
      ['crashSoon', 8_845, 51_798, 36_935],
      ['carry', 33_172, 28_539, 58],
      ['answer', 39_006, 40_343, 27_709],
      ['delete', 10_219, 1, 35_055],
    ],
  },
  '[D7.26] a direct write during a cold start is not replaced by the older snapshot': {
    devices: 4,
    steps: [
      ['carry', 36_692, 17_953, 36_102],
      ['put', 25_185, 0, 53_755],
      ['carry', 40_551, 58_979, 48_803],
      ['carry', 261, 58_374, 18_224],
      ['carry', 54_341, 10_787, 9_424],
      ['carry', 9_312, 5_768, 11_568],
      ['put', 15_986, 0, 14_306],
      ['carry', 39_841, 57_213, 57_375],
      ['answer', 61_319, 15_323, 61_500],
    ],
  },
  '[D7.40] a late answer to a delete of the old history loses nothing': {
    devices: 3,
    steps: [
      ['flow', 29_035, 59_585, 53_247],
      ['flow', 38_990, 10_499, 17_448],
      ['delete', 40_616, 11, 14_603],
      ['delete', 34_675, 2, 14_994],
      ['backUp', 24_733, 20_243, 21_713],
      ['flow', 52_731, 10_751, 15_588],
      ['wake', 38_423, 29_748, 15_251],
      ['wake', 15_715, 45_387, 6938],
      ['carry', 52_612, 141, 52_914],
      ['restore', 64_178, 33_182, 54_485],
      ['stall', 33_984, 20_945, 52_705],
      ['flow', 1825, 17_677, 28_825],
      ['backUp', 40_477, 35_427, 6377],
      ['flow', 2951, 43_065, 29_145],
    ],
  },
}

for (const [title, schedule] of Object.entries(schedules)) {
  test(title, async () => {
    expect(await problemOf({ seed: 1, ...schedule })).toBeUndefined()
  })
}

test('[D7.32] a delete known only from a late answer is offered when its record reappears', async () => {
  const steps: Step[] = [
    ['calm', 0, 0, 0],
    ['backUp', 0, 0, 0],
    ['calm', 0, 0, 0],
    // One makes a record offline, and another, which has never seen it, deletes it a moment later.
    ['cut', 1, 0, 0],
    ['put', 1, 0, 2],
    ['pass', 0, 0, 0],
    ['delete', 0, 0, 0],
    ['carry', 0, 0, 0],
    ['stall', 0, 0, 0],
    ['restore', 0, 0, 0],
    // The restored history passes the version of the deletion before its answer comes.
    ['program', 0, 8, 5],
    ['program', 0, 8, 2],
    ['wake', 0, 0, 0],
    ['flow', 0, 30, 0],
    ['resume', 0, 0, 0],
    ['answer', 0, 0, 0],
    ['join', 1, 0, 0],
  ]
  const { changes } = JSON.parse(await run({ seed: 1, devices: 2, steps })) as PullResponse
  expect(changes.entries?.map(({ id }) => id)).toEqual(['00000000-0000-4000-8000-000000000003'])
})
