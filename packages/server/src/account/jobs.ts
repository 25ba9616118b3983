import { setImmediate } from 'node:timers/promises'
import type { Clock, DurationMs, EpochMs, KnownDays, UserNumber } from '@saldo/core'
import { type Meter, noMeter } from '../meter.ts'
import { ALL_USERS, type Job, type NodeShare, type RecordStore, type UserWriter } from '../store/store.ts'
import { runTeamFacts } from '../team/facts-job.ts'
import { type InboxMail, runInboxMail } from '../team/inbox-mail-job.ts'
import { runAutoClose } from './auto-close-job.ts'
import type { ClockGuard } from './clock-guard.ts'
import type { AccountContext } from './context.ts'
import { runHolidays } from './holiday-job.ts'
import type { JobPace } from './job-pace.ts'
import { runRecompute } from './recompute-job.ts'

/** The number of users whose due jobs are looked up in one query. */
const USERS_PER_QUERY = 20

export interface JobRunnerOptions {
  store: RecordStore
  clock: Clock
  /** A piece of a job failed; the next run tries again. */
  onFailure: (user: UserNumber, error: unknown) => void
  /** Called with what a job found to mail, after its commit: an end of the process in between loses the mail. */
  onInboxMail?: (user: UserNumber, inboxMail: InboxMail) => void
  meter?: Meter
  /** Returns the users for whom this node looks; all without it. */
  share?: () => NodeShare
  /** Without it, the clock is never in doubt. */
  clockGuard?: ClockGuard
}

/** Runs jobs in pieces: short transactions of one user each, so that nobody waits long and a kill loses nothing. */
export class JobRunner {
  readonly #store: RecordStore
  readonly #clock: Clock
  readonly #onFailure: (user: UserNumber, error: unknown) => void
  readonly #onInboxMail: ((user: UserNumber, inboxMail: InboxMail) => void) | undefined
  readonly #share: () => NodeShare
  readonly #meter: Meter
  readonly #clockGuard: ClockGuard | undefined
  /** The library of holidays, which takes memory: it is loaded for the first job that needs it. */
  #knownDays: KnownDays | undefined
  #running: Promise<void> | undefined
  /** In each round, every user with a due job gets one piece, however many jobs some of them have. */
  readonly #servedInRound = new Set<UserNumber>()
  #isStopped = false

  constructor({
    store,
    clock,
    onFailure,
    onInboxMail,
    share = () => ALL_USERS,
    meter = noMeter,
    clockGuard,
  }: JobRunnerOptions) {
    this.#store = store
    this.#share = share
    this.#clock = clock
    this.#onFailure = onFailure
    this.#onInboxMail = onInboxMail
    this.#meter = meter
    this.#clockGuard = clockGuard
  }

  /**
   * Runs jobs until none is due; those that fail wait for the next run. Begins no further piece after `maxMs`, or when
   * `pace` forbids it. A call during a run returns that run.
   */
  runDue({ maxMs = Number.POSITIVE_INFINITY, pace }: { maxMs?: DurationMs; pace?: JobPace } = {}): Promise<void> {
    this.#running ??= this.#run(performance.now() + maxMs, pace).finally(() => {
      this.#running = undefined
    })
    return this.#running
  }

  /** Waits for the piece that runs, and begins no other. */
  async stop(): Promise<void> {
    this.#isStopped = true
    // The caller of `runDue` gets the failure.
    await this.#running?.catch(() => undefined)
  }

  async #run(endMs: number, pace: JobPace | undefined): Promise<void> {
    const nowMs = this.#clock.now()
    const plausibleMs = (await this.#clockGuard?.plausibleMs(nowMs)) ?? nowMs
    const isInDoubt = plausibleMs < nowMs
    this.#meter.judgedClock(isInDoubt)
    // The clock goes on during the run; unless it is in doubt, all later times are plausible too.
    const untilMs = isInDoubt ? plausibleMs : Number.POSITIVE_INFINITY
    const share = this.#share()
    const leftForNextRun = new Set<UserNumber>()
    for (;;) {
      const except = [...leftForNextRun, ...this.#servedInRound]
      const users = await this.#store.usersWithDueJobs(this.#clock.now(), USERS_PER_QUERY, except, share)
      if (this.#servedInRound.size === 0) {
        this.#meter.foundDue(users.length)
        if (users.length === 0) return
      }
      if (users.length === 0) this.#servedInRound.clear()
      for (const user of users) {
        // Requests that arrived during the piece before are noted first.
        await setImmediate()
        if (this.#isStopped || pace?.mayRun(user) === false) return
        this.#servedInRound.add(user)
        const startMs = performance.now()
        if (!(await this.#runPiece(user, untilMs))) leftForNextRun.add(user)
        pace?.notePiece(performance.now() - startMs)
        if (performance.now() > endMs) return
      }
    }
  }

  /** Runs a piece of a user's first due job; false if none is due, if it fails, or if another node writes for them. */
  async #runPiece(user: UserNumber, plausibleMs: EpochMs): Promise<boolean> {
    const nowMs = this.#clock.now()
    try {
      const written = await this.#store.writeIfFree(user, async (writer) => {
        for (const job of await writer.jobs()) {
          if (job.dueMs > nowMs) break
          const context = { user, nowMs, plausibleMs, knownDays: this.#knownDays }
          const piece = await runPieceOf(writer, job, context)
          if (piece === 'needs_library') return piece
          const { rest, isHeldBack } = piece
          if (!rest) await writer.deleteJob(job.id)
          else if (JSON.stringify(rest) !== JSON.stringify({ task: job.task, dueMs: job.dueMs })) {
            await writer.putJob({ ...rest, id: job.id })
          }
          if (!isHeldBack) return { kind: job.task.kind, inboxMail: piece.inboxMail }
        }
        return undefined
      })
      if (written.outcome === 'busy') return false
      if (written.result === 'needs_library') {
        this.#knownDays = (await import('@saldo/core/public-holidays')).knownDays
        return await this.#runPiece(user, plausibleMs)
      }
      if (written.result) this.#meter.ranPiece(written.result.kind)
      if (written.result?.inboxMail) this.#onInboxMail?.(user, written.result.inboxMail)
      return written.result !== undefined
    } catch (error) {
      this.#meter.pieceFailed()
      this.#onFailure(user, error)
      return false
    }
  }
}

/** The rest of a job after a piece, and what to mail once the piece is committed. */
interface PieceResult {
  rest?: Omit<Job, 'id'> | undefined
  isHeldBack: boolean
  inboxMail?: InboxMail | undefined
}

/** Runs a piece of a job, unless it needs a library. Returns the rest of the job; without it, the job is done. */
async function runPieceOf(
  writer: UserWriter,
  { task, dueMs }: Job,
  { plausibleMs, knownDays, ...context }: AccountContext & { plausibleMs: EpochMs; knownDays: KnownDays | undefined },
): Promise<PieceResult | 'needs_library'> {
  switch (task.kind) {
    case 'auto_close': {
      const rest = await runAutoClose(writer, task, context, plausibleMs)
      return { rest: rest && { task: rest.task, dueMs: rest.dueMs }, isHeldBack: rest?.isHeldBack ?? false }
    }
    case 'holidays':
      if (!knownDays) return 'needs_library'
      return { rest: await runHolidays(writer, task, context, knownDays), isHeldBack: false }
    case 'inbox_mail':
      return { ...(await runInboxMail(writer, task, context)), isHeldBack: false }
    case 'export_trail': {
      const { company, actor, month, checkCode } = task
      await writer.addTrail(company, [{ actor, kind: 'exported', data: { month, check_code: checkCode } }])
      return { isHeldBack: false }
    }
    case 'team_facts':
      return { rest: await runTeamFacts(writer, context), isHeldBack: false }
    case 'recompute': {
      const rest = await runRecompute(writer, task, context)
      return { rest: rest && { task: rest, dueMs }, isHeldBack: false }
    }
  }
}
