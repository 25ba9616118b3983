import {
  type Change,
  type Clock,
  type EpochMs,
  type ExitSettlement,
  type HrChangesInput,
  type InputError,
  instantOf,
  isJsonObject,
  type MemberRecords,
  type Month,
  type ProposalRow,
  parseChange,
  parseContent,
  type RecordId,
  recordSchemas,
  sightOf,
  type UserNumber,
  utcDate,
} from '@saldo/core'
import { ProblemError } from '../http/problem.ts'
import { unknownNamesOf } from '../http/unknown-fields.ts'
import { type Proposal, type RecordStore, UnknownUserError, type UserReader, type UserWriter } from '../store/store.ts'
import { liveFieldsOf } from '../store/stored-records.ts'
import type { OwnCompany, TeamStore } from '../store/team/team-store.ts'
import { applyByHr, type Correction, requireOfCompany } from './corrections.ts'
import { Deciding } from './deciding.ts'
import { noteLook } from './looks.ts'
import { memberRecords } from './member-records.ts'
import { memberDatesByCompany, memberDatesOf } from './member-rules.ts'
import { lookAtMonths } from './seen-sheet.ts'
import { settlementOf } from './settlement.ts'

/** The characters of all changes that HR proposed to a person or made: whoever reads them reads all. */
const MAX_PROPOSAL_CHARACTERS = 4 * 1024 * 1024

/** Changes by HR to accounts of members (D28): proposals that their person answers, or changes at once. */
export class HrChanges {
  readonly #records: RecordStore
  readonly #team: TeamStore
  readonly #clock: Clock

  constructor({ records, team, clock }: { records: RecordStore; team: TeamStore; clock: Clock }) {
    this.#records = records
    this.#team = team
    this.#clock = clock
  }

  /**
   * Proposes changes, or applies them where the policy lets HR (D28.1). Repeating one with the same id changes nothing.
   * `countMail` counts the mail of a new one, and throws after too many.
   * Throws 404 for whoever is not HR of the owner, 422 for changes that are not valid, 403 where HR only proposes, and
   * 409 for changes that cannot be made.
   */
  async propose(
    actor: UserNumber,
    owner: UserNumber,
    { id, reason, changes, apply }: HrChangesInput,
    countMail: () => Promise<void>,
  ): Promise<{ row: ProposalRow; company: OwnCompany; actorName: string; isNew: boolean }> {
    const company = await this.#team.companyOf(actor, this.#clock.now())
    if (!company) throw noMember()
    const [nowMs, { companyId }] = [this.#clock.now(), company]
    const parsed = validChanges(changes)
    const written = await this.#write(owner, async (writer) => {
      await writer.team.lockRolesOf(actor)
      const { mayApply } = await requireHrOf(writer, { actor, owner, companyId }, nowMs)
      const all = await writer.proposals()
      const earlier = all.find((each) => each.id === id)
      // An id of another company says nothing of what it proposed.
      if (earlier && earlier.company !== companyId)
        throw new ProblemError('conflict', 'This id is taken. Choose another.')
      if (earlier) return { proposal: earlier, isNew: false }
      if (apply && !mayApply)
        throw new ProblemError('forbidden', 'The policy lets HR propose changes, and not apply them.')
      if (charactersOf(all) + charactersOf([{ reason, changes }]) > MAX_PROPOSAL_CHARACTERS) throw tooMuch()
      await requireOfCompany(writer, { owner, company: companyId, changes: parsed })
      const [state, at] = [apply ? 'applied' : 'waiting', instantOf(nowMs)] as const
      await countMail()
      const made = { id, company: companyId, by: actor, at, reason, changes }
      const proposal: Proposal = { ...made, state, answeredAt: null, overriddenAt: null }
      await writer.putProposal(proposal)
      if (apply) await applyProposal(writer, proposal, { owner, company: companyId }, nowMs)
      else await writer.addTrail(companyId, [{ actor, kind: 'change_proposed', data: { id, reason } }])
      return { proposal, isNew: true }
    })
    const nameIn = await this.#team.namesIn([written.proposal].map(maker))
    const row = proposalRow(written.proposal, nameIn)
    return { row, company, actorName: nameIn(actor, companyId), isNew: written.isNew }
  }

  /** Returns the open points of a member on their exit date (D31.5). Throws 404 for whoever is not HR, and 409. */
  async settlement(actor: UserNumber, owner: UserNumber, id: RecordId): Promise<ExitSettlement> {
    const nowMs = this.#clock.now()
    const company = await this.#team.companyOf(actor, nowMs)
    if (!company) throw noMember()
    const { companyId } = company
    return this.#write(owner, async (writer) => {
      await requireHrOf(writer, { actor, owner, companyId }, nowMs)
      const exitDate = (await writer.team.exitDates(companyId)).get(owner)
      if (!exitDate) throw new ProblemError('conflict', 'Enter the exit date of this person first.')
      const look = await lookAtMonths(writer, { viewer: actor, owner, company: companyId }, nowMs)
      // A balance of each date before the membership would show the hours of that time (D24.3).
      if (sightOf(look.viewer, look.owner, { kind: 'balance', date: exitDate }, look.policy) === 'nothing') {
        throw new ProblemError('conflict', 'The exit date lies outside the membership. Correct one of the two first.')
      }
      await noteLook(writer, { viewer: actor, company: companyId, kind: 'days_read', month: null }, nowMs)
      const memberDates = await memberDatesOf(writer.team, owner, companyId)
      return settlementOf(writer, exitDate, { id, memberDates, nowMs })
    })
  }

  /**
   * Returns the records of a month of a member that HR can propose changes of, and notes the look (D29.5). Throws 404
   * for whoever is not HR of the member, and 403 for oneself.
   */
  async recordsOf(actor: UserNumber, owner: UserNumber, month: Month): Promise<MemberRecords> {
    const nowMs = this.#clock.now()
    const company = await this.#team.companyOf(actor, nowMs)
    if (!company) throw noMember()
    const { companyId } = company
    return this.#write(owner, async (writer) => {
      const { mayApply } = await requireHrOf(writer, { actor, owner, companyId }, nowMs)
      const look = await lookAtMonths(writer, { viewer: actor, owner, company: companyId }, nowMs)
      await noteLook(writer, { viewer: actor, company: companyId, kind: 'days_read', month }, nowMs)
      return { ...(await memberRecords(writer, month, look)), may_apply: mayApply }
    })
  }

  /** Returns the proposals to a member for HR, the latest first. Throws 404 for whoever is not HR of the member. */
  async ofMember(actor: UserNumber, owner: UserNumber): Promise<ProposalRow[]> {
    const nowMs = this.#clock.now()
    const company = await this.#team.companyOf(actor, nowMs)
    if (!company) throw noMember()
    const { companyId } = company
    return this.#write(owner, async (writer) => {
      await requireHrOf(writer, { actor, owner, companyId }, nowMs)
      const proposals = await proposalsOf(writer, owner, { company: companyId, nowMs })
      const nameIn = await writer.team.namesIn(proposals.map(maker))
      return proposals.map((proposal) => proposalRow(proposal, nameIn)).reverse()
    })
  }

  /** Returns the proposals to a user, the latest first. Those of a company that they have left for another end. */
  async own(user: UserNumber): Promise<ProposalRow[]> {
    const nowMs = this.#clock.now()
    const proposals = await this.#records.read(user, async (reader) => {
      const all = await reader.proposals()
      const rules = await reader.memberRules()
      const ofCompany = rules ? await proposalsOf(reader, user, { company: rules.company, nowMs }) : []
      const present = new Set(ofCompany.map(({ id }) => id))
      return all.filter(({ id, state }) => state !== 'waiting' || present.has(id))
    })
    const nameIn = await this.#team.namesIn(proposals.map(maker))
    return proposals.map((proposal) => proposalRow(proposal, nameIn)).reverse()
  }

  /**
   * Answers a proposal; accepting makes the changes, in locked months too. The same answer again changes nothing.
   * Throws 404 and, after another answer or if they cannot be made any more, 409.
   */
  async answer(user: UserNumber, id: RecordId, answer: 'accept' | 'decline'): Promise<void> {
    const nowMs = this.#clock.now()
    const state = answer === 'accept' ? 'accepted' : 'declined'
    await this.#records.write(user, async (writer) => {
      const rules = await writer.memberRules()
      // A change that another company has proposed would pass by the rules of this one, and by its locked months.
      const ofCompany = rules ? await proposalsOf(writer, user, { company: rules.company, nowMs }) : []
      const proposal = ofCompany.find((each) => each.id === id)
      if (!proposal || !rules) throw noProposal()
      if (proposal.state === state) return
      if (proposal.state !== 'waiting') throw new ProblemError('conflict', 'This proposal was answered already.')
      await writer.putProposal({ ...proposal, state, answeredAt: instantOf(nowMs) })
      await writer.addTrail(rules.company, [{ actor: user, kind: 'change_answered', data: { id, answer } }])
      if (answer === 'decline') return
      await applyProposal(writer, proposal, { owner: user, company: rules.company }, nowMs)
    })
  }

  /**
   * Withdraws a proposal that its person has not answered; withdrawing it again changes nothing. Throws 404, and 409
   * after an answer.
   */
  async withdraw(actor: UserNumber, owner: UserNumber, id: RecordId): Promise<void> {
    const nowMs = this.#clock.now()
    const company = await this.#team.companyOf(actor, nowMs)
    if (!company) throw noMember()
    const { companyId } = company
    await this.#write(owner, async (writer) => {
      await writer.team.lockRolesOf(actor)
      await requireHrOf(writer, { actor, owner, companyId }, nowMs)
      const proposal = (await proposalsOf(writer, owner, { company: companyId, nowMs })).find((each) => each.id === id)
      if (!proposal) throw noProposal()
      if (proposal.state === 'withdrawn') return
      if (proposal.state !== 'waiting') throw new ProblemError('conflict', 'This proposal was answered already.')
      await writer.putProposal({ ...proposal, state: 'withdrawn', answeredAt: instantOf(nowMs) })
      await writer.addTrail(companyId, [{ actor, kind: 'change_withdrawn', data: { id } }])
    })
  }

  async #write<T>(user: UserNumber, body: (writer: UserWriter) => Promise<T>): Promise<T> {
    try {
      return await this.#records.write(user, body)
    } catch (error) {
      if (error instanceof UnknownUserError) throw noMember()
      throw error
    }
  }
}

function maker({ by: user, company }: Proposal) {
  return { user, company }
}

function proposalRow(
  { id, company, by, at, reason, changes, state, answeredAt, overriddenAt }: Proposal,
  nameIn: (user: UserNumber, company: number) => string,
): ProposalRow {
  const person = { user_id: by, name: nameIn(by, company) }
  return { id, by: person, at, reason, changes, state, answered_at: answeredAt, overridden_at: overriddenAt }
}

/** Returns whether HR may apply changes at once. Throws 404 for whoever is not HR of the owner, and 403 for oneself. */
async function requireHrOf(
  { team }: UserWriter,
  { actor, owner, companyId }: { actor: UserNumber; owner: UserNumber; companyId: number },
  nowMs: EpochMs,
): Promise<{ mayApply: boolean }> {
  const deciding = await Deciding.read(team, companyId, nowMs, [owner])
  const today = utcDate(nowMs)
  const paths = deciding.membershipsOrLast(owner, today).map(({ path }) => path)
  if (!deciding.hasRole(actor, 'hr', paths)) throw noMember()
  if (actor === owner) throw new ProblemError('forbidden', 'Nobody changes their own account as HR.')
  return { mayApply: deciding.policyOn(today).hr_changes === 'apply' }
}

/** Returns changes without their times, so that they are later than what is stored (D28.2). */
function validChanges(changes: readonly unknown[]): Change[] {
  const parsed = changes.map((change) => parseChange(change))
  const errors = parsed.flatMap((each, index): InputError[] => {
    if (each.outcome === 'valid') return []
    if (each.outcome === 'skipped')
      return [{ pointer: `/changes/${index}`, detail: 'must be of a kind that can be written' }]
    return each.errors.map(({ pointer, detail }) => ({ pointer: `/changes/${index}${pointer}`, detail }))
  })
  if (errors.length > 0) throw new ProblemError('invalid_record', 'A change is not valid.', { errors })
  return parsed.flatMap((each) => (each.outcome === 'valid' ? [{ ...each.change, updatedAt: null }] : []))
}

/** Makes the changes of a proposal, which a later edit of its person can override (D28.5). */
async function applyProposal(
  writer: UserWriter,
  { id, by: actor, reason, changes: given }: Proposal,
  { owner, company }: Pick<Correction, 'owner' | 'company'>,
  nowMs: EpochMs,
): Promise<void> {
  const parsed = validChanges(given)
  const storedById = new Map((await writer.find(parsed)).map((record) => [record.id, liveFieldsOf(record)]))
  const changes = parsed.map((change, index) => {
    const whole = withStoredFields(change, given[index], storedById.get(change.id))
    if (whole.content === null) return whole
    const checked = parseContent(whole.kind, whole.content)
    if (checked.ok) return { ...whole, content: checked.value }
    const faults = checked.errors.map(({ pointer, detail }) => `${pointer || 'it'} ${detail}`)
    throw new ProblemError('conflict', `Change ${index + 1} cannot be made: ${faults.join(', ')}.`)
  })
  await applyByHr(writer, { owner, actor, company, changes, cause: { proposal: id, reason } }, nowMs)
  await writer.noteHrChanges()
}

/**
 * Returns a change with the stored value of each field that it leaves out, also of unknown ones: HR reads no texts of
 * others, and would empty them without knowing (D28.2). Fields of another kind of entry go with that kind.
 */
function withStoredFields(change: Change, given: unknown, stored: object | null | undefined): Change {
  if (change.content === null || !stored) return change
  const record = isJsonObject(given) && isJsonObject(given.record) ? given.record : {}
  const names = new Set([...Object.keys(change.content), ...unknownNamesOf(recordSchemas[change.kind], stored)])
  const kept = Object.entries(stored).filter(([name]) => names.has(name) && !Object.hasOwn(record, name))
  return { ...change, content: { ...change.content, ...Object.fromEntries(kept) } }
}

/**
 * Returns the proposals that a company has made to a user, without those that have ended: once its person has belonged
 * to another company, one that waited never waits again (D28.1).
 */
async function proposalsOf(
  reader: UserReader,
  user: UserNumber,
  { company, nowMs }: { company: number; nowMs: EpochMs },
): Promise<Proposal[]> {
  const elsewhere = [...(await memberDatesByCompany(reader.team, user))].filter(([other]) => other !== company)
  const begun = elsewhere.flatMap(([, dates]) => dates.map(({ from }) => from))
  const hasEnded = ({ state, at }: Proposal) =>
    state === 'waiting' && begun.some((date) => at.slice(0, 10) <= date && date <= utcDate(nowMs))
  return (await reader.proposals()).filter((proposal) => proposal.company === company && !hasEnded(proposal))
}

function charactersOf(proposals: readonly Pick<Proposal, 'reason' | 'changes'>[]): number {
  return proposals.reduce((sum, { reason, changes }) => sum + reason.length + JSON.stringify(changes).length, 0)
}

function tooMuch(): ProblemError {
  return new ProblemError('conflict', 'The changes of this person by HR take all their space. None can be added.')
}

function noProposal(): ProblemError {
  return new ProblemError('not_found', 'This proposal does not exist.')
}

function noMember(): ProblemError {
  return new ProblemError('not_found', 'This is nobody of yours.')
}
