import { createHash, hash } from 'node:crypto'
import {
  type Clock,
  canonicalJson,
  datesOfMonth,
  type ItemResult,
  type Month,
  monthAfter,
  noMapping,
  type PayrollAmount,
  type PayrollCheck,
  type PayrollFault,
  type PayrollFileRow,
  type PayrollMapping,
  type PayrollPerson,
  type PayrollRun,
  type PayrollSheet,
  PersonnelInput,
  type PersonnelRow,
  payrollAmounts,
  payrollDifferences,
  payrollObstacles,
  payrollSheet,
  payrollText,
  type UserNumber,
  utcDate,
  windowsByte,
} from '@saldo/core'
import { monthSheet } from '../account/month-sheet.ts'
import type { SqlDriver, SqlReader } from '../store/sql.ts'
import { type RecordStore, UnknownUserError, type UserWriter } from '../store/store.ts'
import {
  type PayrollFile,
  PayrollReader,
  PayrollWriter,
  type Personnel,
  type SheetKey,
} from '../store/team/payroll-store.ts'
import { inTransaction, type NamedUser, TeamStore } from '../store/team/team-store.ts'
import type { TeamWriter } from '../store/team/team-writer.ts'
import { mapInSlices } from '../time-slice.ts'
import { requireStill, type TeamCallers, type TeamViewer, teamViewerOf } from './access.ts'
import type { Companies } from './companies.ts'
import { checkItem, rejected } from './items.ts'
import { noteLook } from './looks.ts'

/** HR keeps personnel data; payroll and HR make files. */
const KEEPERS = ['hr'] as const
const EXPORTERS = ['hr', 'payroll'] as const
/** A file corrects so many months before its own for another mapping too, and earlier ones that were locked again. */
const MONTHS_BACK = 24

/** A file with its bytes. */
export interface MadeFile {
  name: string
  bytes: Uint8Array
  encoding: PayrollMapping['encoding']
}

/** The outcome of a payroll run: a file, or all that stands in its way. */
export type RunOutcome =
  | { outcome: 'made'; row: PayrollFileRow | null; file: MadeFile }
  | ({ outcome: 'obstacles' } & PayrollCheck)

interface PayrollParts {
  driver: SqlDriver
  records: RecordStore
  clock: Clock
  companies: Companies
}

/** Personnel data and payroll files of a company (D31). */
export class Payroll {
  readonly #driver: SqlDriver
  readonly #records: RecordStore
  readonly #clock: Clock
  readonly #companies: Companies

  constructor({ driver, records, clock, companies }: PayrollParts) {
    this.#companies = companies
    this.#driver = driver
    this.#records = records
    this.#clock = clock
  }

  /** Returns the personnel data of a company by name. Throws `TeamAccessError` as `teamViewerOf` does. */
  personnel(user: UserNumber): Promise<PersonnelRow[]> {
    return this.#driver.read(async (sql) => {
      const { companyId } = await this.#viewer(sql, user, EXPORTERS)
      return personnelRows(sql, companyId)
    })
  }

  /** Returns the own personnel data; undefined for whoever is in no company. */
  ownPersonnel(user: UserNumber): Promise<PersonnelRow | undefined> {
    return this.#driver.read(async (sql) => {
      const store = new TeamStore(inTransaction(sql))
      const company = await store.companyOf(user, this.#clock.now())
      const person = (await store.names([user], null)).get(user)
      if (!company || !person) return undefined
      const [own] = await new PayrollReader(sql).personnel(company.companyId, user)
      return personnelRow(person, own)
    })
  }

  /** Changes personnel data of people, one after another; a dry run keeps nothing. */
  putPersonnel(user: UserNumber, items: readonly unknown[], isDryRun: boolean): Promise<ItemResult[]> {
    return this.#write(user, { callers: KEEPERS, isDryRun }, async (company, companyId) => {
      const { sql, store } = company
      const people = new Set((await store.people(companyId)).map((person) => person.user))
      const writer = new PayrollWriter(sql)
      const stored = new Map((await writer.personnel(companyId)).map((row) => [row.user, row]))
      const results: ItemResult[] = []
      for (const item of items) {
        const checked = checkItem(PersonnelInput, item)
        if (!checked.ok) {
          results.push(checked.result)
          continue
        }
        const {
          user_id: person,
          number,
          cost_centre: costCentre,
          entry_date: entryDate,
          exit_date: exitDate,
        } = checked.value
        if (!people.has(person)) {
          results.push(rejected('person_missing'))
          continue
        }
        if (entryDate !== null && exitDate !== null && exitDate < entryDate) {
          results.push(rejected('exit_before_entry'))
          continue
        }
        const after: Personnel = { user: person, number, costCentre, entryDate, exitDate }
        const isSame = canonicalJson(stored.get(person) ?? null) === canonicalJson(after)
        if (!isSame) {
          await writer.putPersonnel(companyId, after)
          // Another number sends somebody's pay to somebody else.
          await company.note(companyId, user, 'personnel_changed', { user: person })
          stored.set(person, after)
        }
        results.push({ outcome: isSame ? 'unchanged' : 'changed', id: person })
      }
      return results
    })
  }

  /** Returns the mapping of the company, or that of one that has chosen none. */
  mapping(user: UserNumber): Promise<PayrollMapping> {
    return this.#driver.read(async (sql) => {
      const { companyId } = await this.#viewer(sql, user, EXPORTERS)
      return (await new PayrollReader(sql).mapping(companyId)) ?? noMapping
    })
  }

  putMapping(user: UserNumber, mapping: PayrollMapping): Promise<void> {
    return this.#write(user, { callers: EXPORTERS }, async (writer, companyId) => {
      await new PayrollWriter(writer.sql).putMapping(companyId, mapping)
      await writer.note(companyId, user, 'payroll_mapping_changed')
    })
  }

  files(user: UserNumber): Promise<PayrollFileRow[]> {
    return this.#driver.read(async (sql) => {
      const { companyId } = await this.#viewer(sql, user, EXPORTERS)
      return (await new PayrollReader(sql).files(companyId)).map(fileRow)
    })
  }

  /** Returns the bytes of a file as they were sent (D31.2); undefined if there is none. */
  file(user: UserNumber, number: number): Promise<MadeFile | undefined> {
    return this.#driver.read(async (sql) => {
      const { companyId } = await this.#viewer(sql, user, EXPORTERS)
      const found = await new PayrollReader(sql).file(companyId, number)
      return found && madeFile(found.content, found, `payroll-${found.month}-${found.number}.csv`)
    })
  }

  /**
   * Makes the file of a month from stored sheets, with the differences to earlier files (D31.2). The same sheets,
   * people and mapping give the file that was made then. A draft takes open months too and is not kept. Without a file,
   * it returns all that stands in the way (D31.3).
   */
  async run(user: UserNumber, { month, draft, leave_out }: PayrollRun): Promise<RunOutcome> {
    const leftOut = new Set(leave_out)
    const known: KnownParts = { sheets: new Map(), amounts: new Map() }
    // The company is not locked while thousands of sheets are read.
    const { run: read, companyId: ofRun } = await this.#driver.read(async (sql) => {
      const { companyId } = await this.#viewer(sql, user, EXPORTERS)
      return { run: await readRun(sql, { companyId, month, leftOut, known }), companyId }
    })
    if (draft) return this.#draft(user, { month, run: read, companyId: ofRun })
    const made = await this.#write(user, { callers: EXPORTERS }, async (company, companyId) => {
      const writer = new PayrollWriter(company.sql)
      const run = await readRun(company.sql, { companyId, month, leftOut, known })
      const check = checkOf(run)
      if (check) return { outcome: 'obstacles' as const, ...check }
      const inputDigest = await digestOfInput(run)
      const files = await writer.files(companyId)
      const differences = await mapInSlices(run.people, (person) =>
        payrollDifferences(
          payrollAmounts(person, run.mapping),
          run.sent.get(keyOf(person.user, person.sheet.month)) ?? [],
        ),
      )
      const amounts = differences.flat()
      const same = files.find((file) => file.month === month && file.inputDigest === inputDigest)
      // With another mapping in between, the file that was made then would no longer bring payroll to the same sums.
      if (same && amounts.length === 0) {
        const { content } = (await writer.file(companyId, same.number)) ?? { content: '' }
        return { outcome: 'kept' as const, file: same, content, run, companyId }
      }
      const content = payrollText(amounts, run.peopleByUser, run.mapping)
      const file: PayrollFile = {
        ...{ number: (files[0]?.number ?? 0) + 1, month, by: user, at: company.at, inputDigest },
        ...{ digest: hash('sha256', encoded(content, run.mapping.encoding), 'hex'), encoding: run.mapping.encoding },
      }
      await writer.putFile(companyId, file, content, amounts)
      await writer.enqueueTrails(
        companyId,
        file,
        run.people.filter(({ sheet }) => sheet.month === month),
      )
      await company.note(companyId, user, 'payroll_exported', { from: `${month}-01` })
      return { outcome: 'new' as const, file, content, run, companyId }
    })
    if (made.outcome === 'obstacles') return made
    const { file, content } = made
    const name = `payroll-${month}-${file.number}.csv`
    return { outcome: 'made', row: fileRow(file), file: madeFile(content, file, name) }
  }

  /** A draft shows what each person has in a month, and counts as a look (D29.5) of whoever has the role then. */
  async #noteDraft(
    viewer: Pick<TeamViewer, 'user' | 'companyId'>,
    month: Month,
    people: readonly PayrollPerson[],
  ): Promise<void> {
    const { user: looking, companyId: company } = viewer
    for (const { user } of people) {
      const note = async (writer: UserWriter) => {
        const nowMs = this.#clock.now()
        await requireStill(writer.team, viewer, { callers: EXPORTERS, nowMs })
        await noteLook(writer, { viewer: looking, company, kind: 'sheet_read', month }, nowMs)
      }
      if (user !== looking) await this.#records.write(user, note).catch(ignoreErased)
    }
  }

  async #draft(
    user: UserNumber,
    { month, run, companyId }: { month: Month; run: Run; companyId: number },
  ): Promise<RunOutcome> {
    const people = run.people.filter(({ sheet }) => sheet.month === month)
    // Each day until then would be computed.
    const hasBegun = datesOfMonth(month).from <= utcDate(this.#clock.now())
    for (const { user: open, ...person } of hasBegun ? run.open : []) {
      // Of somebody who belongs to another company by now, it would have the dates there.
      const sheet = await this.#records.read(open, async (reader) => {
        return (await reader.memberRules())?.company === companyId ? monthSheet(reader, month) : undefined
      })
      if (sheet) people.push({ user: open, ...person, sheet: payrollSheet(sheet) })
    }
    const check = checkOf({ ...run, people, open: hasBegun ? [] : run.open })
    if (check) return { outcome: 'obstacles', ...check }
    await this.#noteDraft({ user, companyId }, month, people)
    const byUser = new Map(people.map((person) => [person.user, person]))
    const content = payrollText(
      people.flatMap((person) => payrollAmounts(person, run.mapping)),
      byUser,
      run.mapping,
    )
    return { outcome: 'made', row: null, file: madeFile(content, run.mapping, `payroll-${month}-draft.csv`) }
  }

  /** Changes the company's data within `Companies.write`, which looks the role up again once the company is locked. */
  async #write<T>(
    user: UserNumber,
    { callers, isDryRun = false }: { callers: TeamCallers; isDryRun?: boolean },
    body: (writer: TeamWriter, companyId: number) => Promise<T>,
  ): Promise<T> {
    const viewer = await this.#companies.viewer(user, callers)
    return this.#companies.write(viewer, { callers, isDryRun }, async (writer, { companyId }) => {
      return { result: await body(writer, companyId) }
    })
  }

  #viewer(sql: SqlReader, user: UserNumber, callers: typeof EXPORTERS | typeof KEEPERS): Promise<TeamViewer> {
    return teamViewerOf(new TeamStore(inTransaction(sql)), user, { callers, nowMs: this.#clock.now() })
  }
}

/** Everything from which a file is made. */
interface Run {
  mapping: PayrollMapping
  /** People with the last stored sheet of a month; those of earlier months only if that month was sent. */
  people: PayrollPerson[]
  /** Members whose month is not locked. */
  open: Omit<PayrollPerson, 'sheet'>[]
  peopleByUser: ReadonlyMap<UserNumber, PayrollPerson>
  sheetNumbers: unknown[]
  /** The amounts that were sent before, by user and month. */
  sent: ReadonlyMap<string, readonly PayrollAmount[]>
}

/** Sheets and amounts of files that were read, by their keys: none of them is ever changed. */
interface KnownParts {
  sheets: Map<string, PayrollSheet>
  amounts: Map<number, PayrollAmount[]>
}

interface RunQuery {
  companyId: number
  month: Month
  leftOut: ReadonlySet<number>
  known: KnownParts
}

const keyOf = (user: UserNumber, month: Month) => `${user} ${month}`
const sheetKeyOf = ({ user, month, number }: SheetKey) => `${user} ${month} ${number}`

/**
 * Reads everything from which a file is made, month by month, so that nobody waits for thousands of sheets. What is
 * read of sheets and files is added to `known`, and not read again.
 */
async function readRun(sql: SqlReader, { companyId, month, leftOut, known }: RunQuery): Promise<Run> {
  const reader = new PayrollReader(sql)
  const store = new TeamStore(inTransaction(sql))
  const personnel = new Map((await reader.personnel(companyId)).map((row) => [row.user, row]))
  const months = await monthsOf(reader, companyId, month)
  const sent = await readSent(reader, companyId, months[0] ?? month, known)
  const keys: SheetKey[] = []
  for (const of of months) {
    const wanted = ({ user }: SheetKey) => !leftOut.has(user) && (of === month || sent.has(keyOf(user, of)))
    keys.push(...(await reader.sheetKeys(companyId, of)).filter(wanted))
  }
  const members = (await store.memberships(companyId)).filter(({ acceptedOn, from, until }) => {
    return acceptedOn !== null && from <= `${month}-31` && (until === null || until >= `${month}-01`)
  })
  const memberUsers = new Set(members.map(({ user }) => user))
  const users = [...new Set([...memberUsers, ...keys.map(({ user }) => user)])]
  const names = await store.names(users, companyId)
  const dataOf = (user: UserNumber, storedName = '') => ({
    user,
    name: names.get(user)?.name ?? storedName,
    personnelNumber: personnel.get(user)?.number ?? '',
    costCentre: personnel.get(user)?.costCentre ?? '',
  })
  const ready: SheetKey[] = []
  for (const [of, ofMonth] of Map.groupBy(keys, (key) => key.month)) {
    const locked = await reader.lockedIn(of, users)
    // Of somebody whose account is gone, the sheet is all there is, and it stays as it is.
    ready.push(...ofMonth.filter(({ user }) => !names.has(user) || locked.has(user)))
  }
  const unknown = ready.filter((key) => !known.sheets.has(sheetKeyOf(key)))
  for await (const { key, sheet } of reader.sheets(unknown)) known.sheets.set(sheetKeyOf(key), sheet)
  const people = await mapInSlices(ready, (key): PayrollPerson => {
    const sheet = known.sheets.get(sheetKeyOf(key))
    if (!sheet) throw new Error('a sheet that was listed is gone')
    return { ...dataOf(key.user, key.name), sheet }
  })
  const withSheet = new Set(people.filter(({ sheet }) => sheet.month === month).map(({ user }) => user))
  const open = [...memberUsers].filter((user) => !withSheet.has(user) && !leftOut.has(user) && names.has(user))
  return {
    mapping: (await reader.mapping(companyId)) ?? noMapping,
    people,
    open: open.map((user) => dataOf(user)),
    peopleByUser: new Map(people.map((person) => [person.user, person])),
    sheetNumbers: ready.map(({ user, month: of, number }) => [user, of, number, dataOf(user)]),
    sent,
  }
}

/** Returns the month of a file and those that it corrects, in order. */
async function monthsOf(reader: PayrollReader, companyId: number, month: Month): Promise<Month[]> {
  const recent = Array.from({ length: MONTHS_BACK + 1 }, (_, index) => monthAfter(month, index - MONTHS_BACK))
  const again = await reader.monthsLockedAgain(companyId, month)
  return [...again.filter((each) => !recent.includes(each)), ...recent]
}

/** Returns the amounts of all files of a month and later ones, by user and month. */
async function readSent(reader: PayrollReader, companyId: number, first: Month, { amounts: known }: KnownParts) {
  const sent = new Map<string, PayrollAmount[]>()
  for (const number of await reader.fileNumbers(companyId, first)) {
    const amounts = known.get(number) ?? (await reader.amounts(companyId, number))
    known.set(number, amounts)
    await mapInSlices(amounts, (amount) => {
      const key = keyOf(amount.user, amount.month)
      const same = sent.get(key)
      if (same) same.push(amount)
      else sent.set(key, [amount])
    })
  }
  return sent
}

/** Returns all that stands in the way of a file; undefined if nothing does (D31.3). */
function checkOf({ people, open, mapping }: Pick<Run, 'people' | 'open' | 'mapping'>): PayrollCheck | undefined {
  const obstacles: PayrollFault[] = [
    ...payrollObstacles(people, mapping),
    ...open.map(({ user, name }): PayrollFault => ({ fault: 'not_locked', user_id: user, detail: name })),
  ]
  return obstacles.length === 0 ? undefined : { obstacles }
}

async function digestOfInput({ mapping, sheetNumbers }: Run): Promise<string> {
  const digest = createHash('sha256').update(canonicalJson(mapping))
  await mapInSlices(sheetNumbers, (each) => digest.update(canonicalJson(each)))
  return digest.digest('hex')
}

function encoded(text: string, encoding: PayrollMapping['encoding']): Uint8Array {
  if (encoding === 'utf-8') return Buffer.from(text)
  return Uint8Array.from([...text], (character) => {
    const byte = windowsByte(character)
    if (byte === undefined) throw new Error('a character that the encoding does not hold')
    return byte
  })
}

function madeFile(content: string, { encoding }: Pick<PayrollMapping, 'encoding'>, name: string): MadeFile {
  return { name, bytes: encoded(content, encoding), encoding }
}

function fileRow({ number, month, by, at, digest }: PayrollFile): PayrollFileRow {
  return { number, month, made_by: by, made_at: at, digest }
}

async function personnelRows(sql: SqlReader, companyId: number): Promise<PersonnelRow[]> {
  const byUser = new Map((await new PayrollReader(sql).personnel(companyId)).map((row) => [row.user, row]))
  const people = await new TeamStore(inTransaction(sql)).people(companyId)
  return people.map((person) => personnelRow(person, byUser.get(person.user)))
}

function personnelRow(
  { user, name, email }: Pick<NamedUser, 'user' | 'name' | 'email'>,
  own: Personnel | undefined,
): PersonnelRow {
  return {
    ...{ user_id: user, name, email, number: own?.number ?? '', cost_centre: own?.costCentre ?? '' },
    ...{ entry_date: own?.entryDate ?? null, exit_date: own?.exitDate ?? null },
  }
}

/** Somebody whose account is gone has a trail that nobody extends. */
function ignoreErased(error: unknown): void {
  if (!(error instanceof UnknownUserError)) throw error
}
