import type {
  AccountTrailEntry,
  BoardFacts,
  Claims,
  DateRange,
  Digests,
  DurationMs,
  EpochMs,
  HolidaySettings,
  IdentifiedEntry,
  Instant,
  LocalDate,
  MemberMonths,
  MemberRules,
  Month,
  MonthState,
  ProposalRow,
  RecordId,
  RecordKind,
  RecordOf,
  RequestDecision,
  RequestEntry,
  StoredSheet,
  SubstituteAnswer,
  SyncPosition,
  TeamFacts,
  UserNumber,
  WebhookEvent,
  WritableKind,
  ZoneName,
} from '@saldo/core'
import type { JobTask } from './job-task.ts'
import type { TeamStore } from './team/team-store.ts'
import type { TrailHead } from './trail-head.ts'

/** The common part of live records and tombstones. */
interface Stored<K extends RecordKind> {
  readonly kind: K
  readonly id: RecordId
  readonly version: number
  readonly updatedAt: Instant
  /** The record's JSON as it is served, `version` included; of a tombstone, what remains of the record. */
  readonly body: string
  readonly claims: Claims
}

interface Live<K extends RecordKind> extends Stored<K> {
  readonly deleted: false
  /** The fields in `body`, which is parsed when they are first read. */
  readonly fields: RecordOf<K>
}

interface Dead<K extends RecordKind> extends Stored<K> {
  readonly deleted: true
  /** The fields in `body`, which is parsed when they are first read. */
  readonly fields: Remains<K>
}

/** The fields of a tombstone. A reopened day or week keeps its figures, unless an older schema forgot them. */
type Remains<K extends RecordKind> = K extends WritableKind
  ? { created_at?: Instant }
  : Partial<RecordOf<K>> & { is_undone?: boolean }

/** A stored record that was not deleted. */
export type LiveRecord<K extends RecordKind = RecordKind> = { [P in K]: Live<P> }[K]
/** A stored record, live or a tombstone. */
export type StoredRecord<K extends RecordKind = RecordKind> = { [P in K]: Live<P> | Dead<P> }[K]

/** A stored request that was not deleted. */
export type RequestRecord = LiveRecord<'entries'> & { readonly fields: RequestEntry }

/** A record to store, whole but for its `version`, which the store adds. */
export interface RecordToStore<K extends RecordKind = RecordKind> {
  kind: K
  id: RecordId
  updatedAt: Instant
  deleted: boolean
  /** Includes `id` and `updated_at`; of a live record, the fields of its kind. */
  fields: Record<string, unknown>
  claims: Claims
}

/** A span of time in milliseconds since 1970. Records with dates lie on the UTC day of their date. */
export interface EntrySpan {
  /** Inclusive. */
  from: EpochMs
  /** Exclusive. */
  to: EpochMs
}

/** The last record of a page in time order; the next page begins after it. */
export interface TimeKey {
  startsMs: EpochMs
  id: RecordId
}

export interface RecordKey<K extends RecordKind = RecordKind> {
  kind: K
  id: RecordId
}

/** Returns a text that is unique among a user's records, for maps by key. */
export function recordKeyOf({ kind, id }: RecordKey): string {
  return `${kind} ${id}`
}

/** A decision with its time. */
export interface StoredDecision extends RequestDecision {
  at: Instant
}

/** An answer of a substitute with its time. */
export interface StoredAnswer extends SubstituteAnswer {
  at: Instant
}

/** The state of a user's log. */
export interface LogState {
  /** The `_pruned` marker; `undefined` if no row was ever pruned. */
  marker: SyncPosition | undefined
  /** When the oldest row after the marker was logged; null if there is none. */
  oldestMs: EpochMs | null
  /** The history tag of the version that was asked for; null if the log has no such row. */
  tag: string | null
}

/** A month of which a state is stored, with who changed it last. */
export interface StoredMonth {
  month: Month
  /** The company for which its state was changed: no other one reads who did and why (D27.18). */
  company: number
  state: MonthState
  by: UserNumber
  at: Instant
  reason: string | null
  /** The digest of the figures that were submitted (D27.20); null in another state. */
  digest: string | null
}

/** The sheet of a month, as it was locked; the last of a month counts, and earlier ones stay. */
export interface LockedSheet {
  number: number
  company: number
  /** The name of the person at that time. */
  name: string
  sheet: StoredSheet
  by: UserNumber
  at: Instant
}

/** A row of the trail of an account, with the company for which it was written. */
export type StoredTrailEntry = AccountTrailEntry & { company: number }

/** An event for a trail; its number, time and hash come with the row. */
export type TrailEvent = Pick<AccountTrailEntry, 'actor' | 'kind' | 'data'>

/** The facts of a member as they are written. */
export interface StoredTeamFacts extends TeamFacts {
  company: number
  timeZone: ZoneName
  board: BoardFacts
  /** The dates on which colleagues see anything of them. */
  shownDates: readonly DateRange[]
}

/** A remark of a person on a month (D28.4). */
export interface Remark {
  id: RecordId
  /** The company that reads it beside the month. */
  company: number
  month: Month
  text: string
  at: Instant
}

/** A change by HR that waits for its person, or was answered (D28.1). */
export interface Proposal {
  id: RecordId
  company: number
  by: UserNumber
  at: Instant
  reason: string
  /** Changes as a push has them. */
  changes: unknown[]
  state: ProposalRow['state']
  answeredAt: Instant | null
  /** When the person last edited what HR had changed; null if never (D28.5). */
  overriddenAt: Instant | null
}

/** Work of one user that is still to be done, in transactions of its own. */
export interface Job {
  id: string
  dueMs: EpochMs
  task: JobTask
}

/** The numbers of live entries that begin on a UTC day: of all, and of absences and vacation grants. */
export interface DayCount {
  day: number
  entries: number
  absences: number
}

/** The part of a record on a date that sums are made of. */
export interface RecordDelta {
  id: RecordId
  /** The Monday of a week. */
  date: LocalDate
  deltaMs: DurationMs
}

/**
 * Reads the data of one user from one consistent snapshot. It contains every write that was acknowledged before the
 * read began, and no write in part.
 */
export interface UserReader {
  /** Returns the user's counter: version and tag of the last change. */
  position(): Promise<SyncPosition>
  /** Returns the bytes of all records and tombstones, as JSON with their claims, and 100 for each log row (D4.20). */
  storedBytes(): Promise<number>
  /** Returns the rules of the user's company, read with the counter; null without a membership (D26.9). */
  memberRules(): Promise<MemberRules | null>
  /** Returns the months that are not open, read with the counter; null if there are none (D27.6). */
  memberMonths(): Promise<MemberMonths | null>
  /** Returns the last of those months, for which no list is made; null if all are open. */
  lastMemberMonth(): Promise<Month | null>
  /** Returns the state of the log, by one query, with the history tag of a version. */
  logState(version: number): Promise<LogState>
  /** Returns count and digest of the live records of each kind (D10.1). */
  digests(): Promise<Digests>
  /** Returns the records with these keys that exist, tombstones included, each once, in any order. */
  find<K extends RecordKind>(keys: readonly RecordKey<K>[]): Promise<StoredRecord<K>[]>
  /** Returns the bytes of the JSON of those records together. */
  bytesOf(keys: readonly RecordKey[]): Promise<number>
  /** Returns the live records of a kind that overlap a span, by start, then id. A running entry has no end. */
  overlapping<K extends RecordKind>(
    kind: K,
    span: EntrySpan,
    page?: { after?: TimeKey | undefined; limit: number },
  ): Promise<LiveRecord<K>[]>
  /** Returns what the account reads of the live entries that overlap a span, by start, then id. */
  accountEntries(span: EntrySpan): Promise<IdentifiedEntry[]>
  /** Yields the live requests whose first date is in a span, the latest first, at most `limit`, in pieces (D26.1). */
  requests(span: EntrySpan, limit: number): AsyncIterable<RequestRecord[]>
  /** Returns the characters of all live requests as JSON. */
  requestCharacters(): Promise<number>
  /** Returns what the account and the holidays read of the live settings rows, in any order. */
  settingsRows(): Promise<HolidaySettings[]>
  /** Returns the number of live records of a kind that begin in a span, at most `limit`. */
  count(kind: RecordKind, span: EntrySpan, limit?: number): Promise<number>
  /** Returns the number of live entries that run, at most `limit`. */
  countRunning(limit: number): Promise<number>
  /** Returns the numbers of live entries that begin on UTC days, counted from 1970. */
  countOnDays(days: readonly number[]): Promise<DayCount[]>
  /** Returns the start of the latest live record of a kind that begins in a span, at `place` 2 of the one before. */
  startOfLatest(kind: RecordKind, span: EntrySpan, place: number): Promise<EpochMs | undefined>
  /** Returns the sums of `delta_ms` and of its absolute values over the live records of a kind that begin in a span. */
  sumDeltas(kind: RecordKind, span: EntrySpan): Promise<{ sum: DurationMs; absolute: DurationMs }>
  /** Yields `delta_ms` of the live records of a kind that begin in a span, by date, then id, in pieces of some. */
  deltas(kind: RecordKind, span: EntrySpan): AsyncIterable<RecordDelta[]>
  /**
   * Returns the records changed after `since` in version order, tombstones included, at most `limit`; each once in its
   * latest state, with the tag of its version.
   */
  changesSince(since: number, limit: number): Promise<(StoredRecord & { tag: string })[]>
  /** Returns the live records after a key in order of kind and id, at most `limit`: a page of a snapshot. */
  snapshot(after: RecordKey | undefined, limit: number): Promise<LiveRecord[]>
  /** Returns the jobs in order of `dueMs`, then id. */
  jobs(): Promise<Job[]>
  /** Returns the decisions of the user's requests, those of each in their order; they are no records (D26.3). */
  decisions(): Promise<StoredDecision[]>
  /** Returns the answers of substitutes to the user's requests. */
  substituteAnswers(): Promise<StoredAnswer[]>
  /** Returns the months of which a state is stored, the earliest first. */
  months(): Promise<StoredMonth[]>
  /** Returns the last stored sheet of each month, or of one, the earliest first. */
  lastSheets(month?: Month): Promise<LockedSheet[]>
  /** Returns rows of the user's trail with greater numbers than `after`, in order, at most `limit`; of one company. */
  trailRows(after: number, limit: number, company?: number): Promise<StoredTrailEntry[]>
  /** Returns the last row of the trail, read with the counter. */
  trailHead(): Promise<TrailHead>
  remarks(): Promise<Remark[]>
  proposals(): Promise<Proposal[]>
  /** The companies as this transaction sees them. */
  readonly team: TeamStore
}

/** A company, and those of its HR who get an event of it. */
export interface HrOfCompany {
  company: number
  hrs: readonly UserNumber[]
}

/**
 * Reads and writes the data of one user in one transaction. It locks the user's counter before it reads anything, so
 * version order is commit order on every engine and no reader ever sees version n + 1 without n.
 */
export interface UserWriter extends UserReader {
  /**
   * Stores records under the next versions, one each, in their order, each with a row in the log. A row's time is never
   * earlier than that of the row before, whatever the clock says. If one record comes several times, the last one wins.
   * Stores the deliveries of the user's webhooks too (D22.4). Returns the stored records in the same order.
   */
  put<K extends RecordKind>(records: readonly RecordToStore<K>[]): Promise<StoredRecord<K>[]>
  /**
   * Removes log rows logged before a time, the oldest first (R4.1), and moves the `_pruned` marker to the highest
   * version removed (R4.2); of very many, only some, so that writers of others go first. Returns true if there may be
   * more. Writes nothing if there are none. Records, tombstones and the counter stay as they are.
   */
  prune(beforeMs: EpochMs): Promise<boolean>
  /** Stores the rules of the user's company beside the counter; null without one. */
  putMemberRules(rules: MemberRules | null): Promise<void>
  /**
   * Stores the facts of a member for team pages, in place of earlier ones, or deletes them. Holding the counter, no
   * older version replaces a newer one (D30.1).
   */
  putTeamFacts(facts: StoredTeamFacts | null): Promise<void>
  /** Stores deliveries of events of a company for the webhooks of its HR that ask for them (D22.16). */
  putCompanyDeliveries(events: readonly WebhookEvent[], to: HrOfCompany): Promise<void>
  /** Stores a job, in place of the one with the same id. */
  putJob(job: Job): Promise<void>
  /** Stores a decision behind the earlier ones of its request. The caller checks that it waits for one (D26.4). */
  putDecision(decision: StoredDecision): Promise<void>
  /** Stores the answer of a substitute, in place of an earlier one. */
  putSubstituteAnswer(answer: StoredAnswer): Promise<void>
  /** Stores the state of a month, and beside the counter which months are not open. */
  putMonth(month: StoredMonth): Promise<void>
  /** Stores a sheet behind the earlier ones of its month. No sheet is ever changed (D27.3). */
  putSheet(sheet: Omit<LockedSheet, 'number'>): Promise<void>
  /**
   * Adds rows to the user's trail, in the transaction of what they report (D29.1). `company` is the one for which
   * somebody acted, or of which the user is a member who did: nobody else reads them (D29.8).
   */
  addTrail(company: number, events: readonly TrailEvent[]): Promise<void>
  /**
   * Removes the rows of the trail before the first that its company keeps, and remembers behind which the trail begins
   * (D29.7). `keptSince` has the time since which each company keeps its rows.
   */
  pruneTrail(keptSince: ReadonlyMap<number, Instant>): Promise<void>
  /** Stores a remark, or removes it. */
  putRemark(remark: Remark): Promise<void>
  deleteRemark(id: RecordId): Promise<void>
  /** Remembers beside the counter that HR has changed records of the user. */
  noteHrChanges(): Promise<void>
  /** Stores a proposal, in place of the one with the same id. */
  putProposal(proposal: Proposal): Promise<void>
  /** Deletes a job, if there is one with this id. */
  deleteJob(id: string): Promise<void>
}

/** The users whose jobs and deliveries a node looks for: those whose number divided by `of` leaves `index`. */
export interface NodeShare {
  index: number
  of: number
}

/** The share of a node that is alone. */
export const ALL_USERS: NodeShare = { index: 0, of: 1 }

/** The outcome of a write that does not wait; `result` is that of its body. */
export type WriteIfFreeOutcome<T> = { outcome: 'written'; result: T } | { outcome: 'busy' }

/** There is no such user, or the user was deleted. */
export class UnknownUserError extends Error {
  constructor() {
    super('there is no such user')
    this.name = 'UnknownUserError'
  }
}

/**
 * Stores the records of all users. `read`, `write` and `writeIfFree` name one user, and no user ever sees another's
 * records, whatever the ids.
 *
 * A body awaits nothing but its reader or writer, and may run again from the start, so it must have no other effects.
 * Throws `UnknownUserError` for a user that does not exist and `UnavailableError` if the engine cannot answer now. An
 * error thrown by a body leaves no trace in the store and passes through.
 */
export interface RecordStore {
  read<T>(user: UserNumber, body: (reader: UserReader) => Promise<T>): Promise<T>
  /** Resolves when everything that the body wrote is durable. */
  write<T>(user: UserNumber, body: (writer: UserWriter) => Promise<T>): Promise<T>
  /** Like `write`, but gives up at once if another node writes for the user or there is no such user. */
  writeIfFree<T>(user: UserNumber, body: (writer: UserWriter) => Promise<T>): Promise<WriteIfFreeOutcome<T>>
  /**
   * Returns the versions of users, 0 for whoever does not exist, by one statement. If it fails where the database is
   * distributed, there is one for each of its servers, so that one that is down keeps back only its own users.
   */
  versions(users: readonly UserNumber[]): Promise<PromiseSettledResult<ReadonlyMap<UserNumber, number>>[]>
  /**
   * Returns users with a job due at `nowMs`, the longest due first, each once, without those of `except`. `limit` is
   * the most jobs to look at. With a share, only users of that share are looked for.
   */
  usersWithDueJobs(
    nowMs: EpochMs,
    limit: number,
    except: Iterable<UserNumber>,
    share?: NodeShare,
  ): Promise<UserNumber[]>
}
