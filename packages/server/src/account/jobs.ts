import { addDays, type Clock, type DateRange, type EpochMs, weekdayIndex } from '@saldo/core'
import { type Meter, noMeter } from '../meter.ts'
import type { Job, JobTask, RecordStore, UserId, UserReader, UserWriter } from '../store/store.ts'
import { runAutoClose } from './auto-close.ts'
import { recompute } from './recompute.ts'
import { mergeRanges, readClosedDays, readTimeline } from './records.ts'

/** How many closed days one transaction recomputes at most: fourteen weeks. */
const DAYS_AT_ONCE = 98
const USERS_AT_ONCE = 20
/** How many of them are worked for side by side: on SQLite they share a commit, and behind many writes wait for it together. */
const SIDE_BY_SIDE = 4

/** The ranges of dates whose closed days wait for recomputation. */
export async function recomputingRanges(reader: UserReader): Promise<DateRange[]> {
  const ranges = (await reader.jobs()).flatMap(({ task }) => (task.kind === 'recompute' ? task.ranges : []))
  return mergeRanges(ranges).map(({ from, to }) => ({ from, to }))
}

/**
 * Does the work that requests leave behind: recomputation of long stretches, and auto-close. Each piece is a short
 * transaction of one user, so nobody waits for it long, and a kill loses nothing: the job stands in the store.
 */
export class JobRunner {
  readonly #store: RecordStore
  readonly #clock: Clock
  readonly #onFailure: (user: UserId, error: unknown) => void
  readonly #meter: Meter
  #running: Promise<void> | undefined
  #stopped = false

  constructor(
    store: RecordStore,
    clock: Clock,
    onFailure: (user: UserId, error: unknown) => void,
    meter: Meter = noMeter,
  ) {
    this.#store = store
    this.#clock = clock
    this.#onFailure = onFailure
    this.#meter = meter
  }

  /**
   * Runs what is due until nothing is, but what fails and the work of users for whom another node writes: those are left to
   * the next run, so that nodes do not wait for each other. While it runs already, the same run is returned.
   */
  runDue(): Promise<void> {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Lets the pieces at work end, and begins no other. */
  async stop(): Promise<void> {
    this.#stopped = true
    // Whoever began the run hears of its failure.
    await this.#running?.catch(() => undefined)
  }

  async #run(): Promise<void> {
    const left = new Set<UserId>()
    for (;;) {
      const users = await this.#store.usersWithDueJobs(this.#clock.now(), USERS_AT_ONCE, left)
      this.#meter.foundDue(users.length)
      if (users.length === 0) return
      const waiting = users.values()
      const worker = async () => {
        for (const user of waiting) {
          if (this.#stopped) return
          if (await this.#isLeftAfterPiece(user)) left.add(user)
        }
      }
      await Promise.all(Array.from({ length: SIDE_BY_SIDE }, worker))
      if (this.#stopped) return
    }
  }

  /** Does a piece of a user's work. Returns whether the user is left to the next run, since it failed, or to another node. */
  #isLeftAfterPiece(user: UserId): Promise<boolean> {
    return this.#runPiece(user).catch((error) => {
      this.#meter.workFailed()
      this.#onFailure(user, error)
      return true
    })
  }

  /** Returns whether the user is left to another node that is at work for them. */
  async #runPiece(user: UserId): Promise<boolean> {
    const nowMs = this.#clock.now()
    const done = await this.#store.writeIfFree(user, async (writer) => {
      const job = (await writer.jobs()).find(({ dueMs }) => dueMs <= nowMs)
      if (job) await runJob(writer, job, { user, nowMs })
      return { kind: job?.task.kind }
    })
    if (done?.kind) this.#meter.worked(done.kind)
    return done === undefined
  }
}

async function runJob(writer: UserWriter, job: Job, context: { user: UserId; nowMs: EpochMs }): Promise<void> {
  if (job.task.kind === 'auto_close') return runAutoClose(writer, { ...job, task: job.task }, context)
  const ranges = await recomputePiece(writer, job.task, context)
  if (ranges.length === 0) return writer.deleteJob(job.id)
  await writer.putJob({ ...job, task: { kind: 'recompute', ranges } })
}

type RecomputeTask = Extract<JobTask, { kind: 'recompute' }>

/** Recomputes the earliest days of the ranges and returns what is left of them. */
async function recomputePiece(
  writer: UserWriter,
  { ranges }: RecomputeTask,
  context: { user: UserId; nowMs: EpochMs },
): Promise<RecomputeTask['ranges']> {
  const timeline = await readTimeline(writer)
  const piece: RecomputeTask['ranges'] = []
  let room = DAYS_AT_ONCE
  let left = ranges
  while (room > 0 && left.length > 0) {
    const earliest = left.reduce((first, range) => (range.from < first.from ? range : first))
    const days = await readClosedDays(writer, earliest, room)
    const whole = days.length < room
    // Ending on a Sunday, so that no week is revised twice.
    const last = days.findLast(({ date }) => weekdayIndex(date) === 6) ?? days.at(-1)
    const to = whole || !last ? earliest.to : last.date
    // What others of the ranges share with this stretch goes with it, so that each day is computed once.
    for (const range of left) {
      if (range.from <= to) piece.push({ ...range, to: range.to < to ? range.to : to })
    }
    left = left
      .filter((range) => range.to > to)
      .map((range) => (range.from > to ? range : { ...range, from: addDays(to, 1) }))
    room -= days.length
  }
  await recompute(writer, timeline, piece, context)
  return left
}
