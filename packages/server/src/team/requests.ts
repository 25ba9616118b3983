import {
  type Clock,
  companyOf,
  type DateRange,
  type DecisionInput,
  type DecisionRow,
  dateAt,
  type InboxRow,
  InstantText,
  isMemberOn,
  jsonEqual,
  type LocalDate,
  MAX_DECIDERS_NAMED,
  type OwnRequest,
  parseChange,
  plannedDates,
  type RecordId,
  type RequestContent,
  type RequestContext,
  type RequestEntry,
  type RequestToDecide,
  type SubstituteAnswer,
  type SubstitutionInput,
  type SubstitutionRow,
  TEAM_PAGE,
  type TeamPerson,
  type UserNumber,
  Uuid,
  utcDate,
} from '@saldo/core'
import * as v from 'valibot'
import { readTimeline } from '../account/account-reads.ts'
import { ProblemError } from '../http/problem.ts'
import type { TeamSentence } from '../mail/team-news.ts'
import type { SqlDriver } from '../store/sql.ts'
import {
  type RecordStore,
  recordKeyOf,
  type StoredDecision,
  UnknownUserError,
  type UserReader,
} from '../store/store.ts'
import { liveFieldsOf } from '../store/stored-records.ts'
import { type NamedUser, type OwnCompany, TeamStore } from '../store/team/team-store.ts'
import { formatCursor, parseCursor } from '../sync/pages.ts'
import { stateOfMembership } from './data-of-membership.ts'
import {
  answerAsSubstitute,
  type Decided,
  decideRequest,
  noRequest,
  openUndecidedRequest,
  type RequestKey,
} from './decide.ts'
import { Deciding } from './deciding.ts'
import { memberDatesOf } from './member-rules.ts'
import { requestContext } from './request-context.ts'
import { countDates } from './request-dates.ts'
import { rolesKnownToMembers } from './roles-in-force.ts'
import { shownRecord, shownRequest } from './shown-fields.ts'
import { askedKey, compareAsked, type InboxItem, requestsToDecide } from './to-decide.ts'
import { isWaitingFor, type RequestWithState, readRequests } from './waiting.ts'

const Cursor = v.object({ askedAt: InstantText, user: v.number(), id: Uuid })

/** The mail to a requester about a decision. */
export interface DecisionToTell {
  company: OwnCompany
  sentence: TeamSentence
}

/** Requests of the members of a company and their decisions (D26). */
export class TeamRequests {
  readonly #records: RecordStore
  readonly #team: TeamStore
  readonly #clock: Clock

  constructor({ records, driver, clock }: { records: RecordStore; driver: SqlDriver; clock: Clock }) {
    this.#records = records
    this.#team = new TeamStore(driver)
    this.#clock = clock
  }

  /** Returns the company of a user. Throws 404 without one (D24.1). */
  async #companyOf(user: UserNumber): Promise<OwnCompany> {
    const company = await this.#team.companyOf(user, this.#clock.now())
    if (company) return company
    throw new ProblemError('not_found', 'You belong to no company.')
  }

  /** Returns the requests of a user with what came of them, those of the latest dates first. */
  async own(user: UserNumber): Promise<OwnRequest[]> {
    const nowMs = this.#clock.now()
    const { companyId } = await this.#companyOf(user)
    return this.#read(user, async (reader) => {
      const deciding = await Deciding.read(reader.team, companyId, nowMs, [user], rolesKnownToMembers)
      const timeline = await readTimeline(reader)
      const today = dateAt(timeline, nowMs)
      const requests = await readRequests(reader, { user, timeline })
      const [ofLeads, ofHr] = ([1, 2] as const).map((stage) => knownDeciders(deciding, user, today, stage))
      const decidersOf = (each: RequestWithState) => {
        if (!isWaitingFor(companyId, each)) return []
        return (each.state === 'waiting' ? ofLeads : ofHr) ?? []
      }
      const substituteOf = await substituteReader(
        reader,
        requests.map(({ request }) => request),
        { companyId, today },
      )
      const by = requests.flatMap(({ decisions }) => decisions.map((decision) => decision.by))
      const names = await reader.team.names([...new Set([...requests.flatMap(decidersOf), ...by])], companyId)
      return requests.map((each): OwnRequest => {
        const { request, digest, state, decisions } = each
        return {
          id: request.id,
          state,
          digest,
          decisions: decisionRows(decisions, names),
          deciders: decidersOf(each).map((decider) => personOf(decider, names)),
          substitute: substituteOf(request),
        }
      })
    })
  }

  /** Returns the requests that a user has to decide now, the oldest first: from facts and decisions alone (D30.2). */
  async toDecide(viewer: UserNumber, companyId: number): Promise<InboxItem[]> {
    const nowMs = this.#clock.now()
    const deciding = await Deciding.read(this.#team, companyId, nowMs)
    return requestsToDecide(this.#team, viewer, deciding, nowMs)
  }

  /** Returns a page of the inbox of a user. */
  async inbox(viewer: UserNumber, cursor: string | undefined): Promise<{ items: InboxRow[]; cursor: string | null }> {
    const after = cursor === undefined ? undefined : parseCursor(Cursor, cursor)
    if (cursor !== undefined && !after) {
      throw new ProblemError('invalid_cursor', 'The cursor is not valid. Start again without it.')
    }
    const { companyId } = await this.#companyOf(viewer)
    const all = await this.toDecide(viewer, companyId)
    const rest = after ? all.filter((item) => compareAsked(askedKey(item), after) > 0) : all
    const page = rest.slice(0, TEAM_PAGE)
    const names = await this.#team.names([...new Set(page.map(({ user }) => user))], companyId)
    const last = page.at(-1)
    return {
      items: page.map((item) => inboxRow(item, names)),
      cursor: last && rest.length > page.length ? formatCursor(askedKey(last)) : null,
    }
  }

  /**
   * Returns a request with all that its decision needs, while it waits for one (`openUndecidedRequest`). Only this
   * reads records of another user (D30.2).
   */
  async open(key: RequestKey): Promise<RequestToDecide> {
    await this.#companyOf(key.viewer)
    const nowMs = this.#clock.now()
    return this.#read(key.owner, async (reader) => {
      const { request, digest, decisions, deciding, stage } = await openUndecidedRequest(reader, key, nowMs)
      const { companyId } = deciding
      const { asks, absence, date: from, last_date: to, created_at: askedAt } = request
      const names = await reader.team.names([key.owner, ...decisions.map(({ by }) => by)], companyId)
      const all = await Deciding.read(reader.team, companyId, nowMs)
      const memberDates = await memberDatesOf(reader.team, key.owner, companyId)
      const today = dateAt(await readTimeline(reader), nowMs)
      const substituteOf = await substituteReader(reader, [request], { companyId, today })
      return {
        user: personOf(key.owner, names),
        ...{ request_id: request.id, asks, absence, from, to, asked_at: askedAt, stage },
        digest,
        request: shownRequest(request),
        ...(await presentContents(reader, request, memberDates)),
        decisions: decisionRows(decisions, names),
        substitute: substituteOf(request),
        context: await requestContext(reader, { ...key, content: request }, all, nowMs),
      }
    })
  }

  /** Returns what a user sees before they ask (D26.11). `id` is that of the request if it is recorded already. */
  async preview(user: UserNumber, id: RecordId, content: RequestContent): Promise<RequestContext> {
    const { companyId } = await this.#companyOf(user)
    const nowMs = this.#clock.now()
    return this.#read(user, async (reader) => {
      const deciding = await Deciding.read(reader.team, companyId, nowMs)
      return requestContext(reader, { owner: user, viewer: user, id, content }, deciding, nowMs)
    })
  }

  /** Decides a request; see `decideRequest`. */
  async decide(
    key: RequestKey,
    input: DecisionInput,
  ): Promise<Decided & { rows: DecisionRow[]; news: DecisionToTell }> {
    const company = await this.#companyOf(key.viewer)
    const nowMs = this.#clock.now()
    const { decided, days } = await ofAnybody(() =>
      this.#records.write(key.owner, async (writer) => {
        const decided = await decideRequest(writer, key, input, nowMs)
        const { date: from, last_date: to } = decided.request
        return { decided, days: countDates(plannedDates(await readTimeline(writer), { from, to })) }
      }),
    )
    const names = await this.#team.names([key.viewer, ...decided.decisions.map(({ by }) => by)], company.companyId)
    const { date: from, last_date: to } = decided.request
    const outcome = decided.state === 'approved' || decided.state === 'declined' ? decided.state : 'first_stage'
    const person = names.get(key.viewer)?.name ?? ''
    const sentence = { what: 'request_decided', person, outcome, from, to, days } as const
    return { ...decided, rows: decisionRows(decided.decisions, names), news: { company, sentence } }
  }

  /** Returns the requests that name a user as the substitute: dates only (D26.13). */
  async substitutions(user: UserNumber): Promise<SubstitutionRow[]> {
    const { companyId } = await this.#companyOf(user)
    const deciding = await Deciding.read(this.#team, companyId, this.#clock.now(), [user])
    // Whoever has not accepted yet, or has only a role, stands in for nobody.
    if (deciding.membershipsOn(user, utcDate(this.#clock.now())).length === 0) return []
    const asking = await this.#team.asking(companyId, user)
    const found = asking.flatMap((one) =>
      one.requests.filter(({ substitute }) => substitute === user).map((fact) => ({ owner: one.user, fact })),
    )
    const names = await this.#team.names(
      found.map(({ owner }) => owner),
      companyId,
    )
    const answers = await this.#team.answersOf(user)
    return found.map(({ owner, fact: { id, from, to } }) => {
      const ofOwner = answers.filter((one) => one.user === owner)
      const answer = answerOf(ofOwner, { id, substitute: user, date: from, last_date: to })
      return { user: personOf(owner, names), request_id: id, from, to, answer }
    })
  }

  /** Stores the answer of a substitute; see `answerAsSubstitute`. */
  async answer(key: RequestKey, answer: SubstitutionInput): Promise<void> {
    await this.#companyOf(key.viewer)
    const nowMs = this.#clock.now()
    await ofAnybody(() => this.#records.write(key.owner, (writer) => answerAsSubstitute(writer, key, answer, nowMs)))
  }

  #read<T>(user: UserNumber, body: (reader: UserReader) => Promise<T>): Promise<T> {
    return ofAnybody(() => this.#records.read(user, body))
  }
}

/**
 * Returns who decides the requests of a user, as the user may know it: leads with their deputies, and those who decide
 * if no deputy does; the first of them, since thousands could decide each of hundreds of requests. That a deputy
 * decides now would say that a lead is away (D25.6).
 */
function knownDeciders(deciding: Deciding, user: UserNumber, today: LocalDate, stage: 1 | 2): UserNumber[] {
  const withoutDeputies = deciding.grants.filter(({ role }) => role !== 'deputy')
  const deciders = [withoutDeputies, deciding.grants].flatMap((grants) =>
    deciding.decidersOf(user, today, stage, grants),
  )
  return [...new Set(deciders.map((decider) => decider.user))].slice(0, MAX_DECIDERS_NAMED)
}

type WithSubstitute = Pick<RequestEntry, 'id' | 'substitute' | 'date' | 'last_date'>

/** Returns what finds the substitute of one of some requests of a user, with the answer. */
async function substituteReader(
  reader: UserReader,
  requests: readonly WithSubstitute[],
  { companyId, today }: { companyId: number; today: LocalDate },
): Promise<(request: WithSubstitute) => OwnRequest['substitute']> {
  const named = [...new Set(requests.flatMap(({ substitute }) => substitute ?? []))]
  // A request can name any number: those who are not of the company keep their names (D26.13).
  const colleagues = (await reader.team.memberships(named)).filter((membership) => {
    return companyOf(membership.path) === companyId && isMemberOn(membership, today)
  })
  const names = await reader.team.names([...new Set(colleagues.map(({ user }) => user))], companyId)
  const answers = await reader.substituteAnswers()
  return (request) => {
    const { substitute } = request
    return substitute === null ? null : { ...personOf(substitute, names), answer: answerOf(answers, request) }
  }
}

/** Returns the answer of the substitute of a request for its present dates: another one was to other dates (D26.13). */
function answerOf(
  answers: readonly SubstituteAnswer[],
  { id, substitute, date, last_date }: WithSubstitute,
): SubstituteAnswer['answer'] | null {
  const own = answers.find((one) => one.request === id && one.substitute === substitute)
  return own?.from === date && own.to === last_date ? own.answer : null
}

/**
 * Returns the present content of each record that a request would change, in the order of its changes, and whether its
 * texts would be others. Of a record of other dates than those of the membership, there is none (D24.3).
 */
async function presentContents(
  reader: UserReader,
  { changes }: RequestEntry,
  memberDates: readonly DateRange[],
): Promise<Pick<RequestToDecide, 'present' | 'other_notes'>> {
  const parsed = (changes ?? []).map((change) => parseChange(change))
  const keys = parsed.flatMap((each) => (each.outcome === 'valid' ? [each.change] : []))
  const storedByKey = new Map((await reader.find(keys)).map((record) => [recordKeyOf(record), record]))
  const contents = parsed.map((each) => {
    const { change } = each.outcome === 'valid' ? each : {}
    const stored = change && storedByKey.get(recordKeyOf(change))
    const live = liveFieldsOf(stored)
    const fields = live ? stateOfMembership({ ...live }, memberDates) : null
    const isOther = change?.content != null && !jsonEqual(textsOf(change.content), textsOf(fields ?? {}))
    return { shown: change && fields && shownRecord(change.kind, fields), isOther }
  })
  return { present: contents.map(({ shown }) => shown ?? null), other_notes: contents.map(({ isOther }) => isOther) }
}

/** Returns the texts of a record, which nobody else reads. */
function textsOf({ note = '', tags = [], project = null }: Record<string, unknown>): unknown[] {
  return [note, tags, project]
}

/** Does something with the data of a user who may not exist: then there is no request either. */
async function ofAnybody<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof UnknownUserError) throw noRequest()
    throw error
  }
}

type Names = ReadonlyMap<UserNumber, Pick<NamedUser, 'name'>>

function personOf(user: UserNumber, names: Names): TeamPerson {
  return { user_id: user, name: names.get(user)?.name ?? '' }
}

function decisionRows(decisions: readonly StoredDecision[], names: Names): DecisionRow[] {
  return decisions.map(({ stage, outcome, reason, by, isOwn, at }) => {
    return { stage, outcome, reason, by: personOf(by, names), own: isOwn, at }
  })
}

function inboxRow({ user, fact, stage }: InboxItem, names: Names): InboxRow {
  const { id: request_id, asks, absence, from, to, askedAt: asked_at } = fact
  return { user: personOf(user, names), request_id, asks, absence, from, to, asked_at, stage }
}
