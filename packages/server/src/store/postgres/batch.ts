import pg from 'pg'
import { NoAnswerError } from './errors.ts'
import { ANSWER_TIMEOUT_MS } from './session.ts'

/** What goes to the server for a parameter: text, or bytes in the binary format of its type. */
export type Param = string | Buffer | null

/** A statement on its way to its answer. */
export interface Statement {
  text: string
  params: readonly Param[]
  resolve(answer: Answer): void
  reject(error: unknown): void
}

export interface Answer {
  rows: Row[]
  /** Whether the server warned of something while it did the statement. */
  hasWarned: boolean
  /** The server's word for what was done, such as `INSERT 0 10`. */
  tag: string
}

type Row = Record<string, unknown>

/** A statement as a connection knows it, with what its columns are called and how their texts are read. */
interface Prepared {
  name: string
  columns: { name: string; read: (text: string) => unknown }[]
}

/** What is known of a connection. */
interface Known {
  /** What it has prepared, by its text. */
  prepared: Map<string, Prepared>
  /** Whether the server has warned of something since it was done with a statement. */
  hasWarned: boolean
}

const knownOf = new WeakMap<pg.Connection, Known>()

function knownOn(connection: pg.Connection): Known {
  const before = knownOf.get(connection)
  if (before) return before
  const known: Known = { prepared: new Map(), hasWarned: false }
  connection.on('notice', ({ severity }: { severity?: string }) => {
    known.hasWarned ||= severity === 'WARNING'
  })
  knownOf.set(connection, known)
  return known
}

const names = new Map<string, string>()
/** Short statements are their own names. The server would cut longer ones. */
const MAX_NAME_LENGTH = 63

function nameOf(text: string): string {
  const name = names.get(text) ?? (text.length <= MAX_NAME_LENGTH ? text : `s${names.size}`)
  names.set(text, name)
  return name
}

/** The types of PostgreSQL that our statements meet, by their numbers in its catalogue; all others are texts. */
const typeNumbers = { int8: 20, int2: 21, int4: 23 }

const readerOf = new Map<number, (text: string) => unknown>([
  [typeNumbers.int8, Number],
  [typeNumbers.int2, Number],
  [typeNumbers.int4, Number],
])

const asItIs = (text: string) => text

function nothing(): void {}

/** Ends a connection on which no answer came in time, and with it all that wait there. */
function giveUp({ stream }: pg.Connection): void {
  stream.destroy(new NoAnswerError())
}

/** Sends statements to a server, to be run one after another; those that come after one that fails are not run. */
export function sendTogether(client: pg.ClientBase, statements: readonly Statement[]): void {
  client.query(new Batch(statements))
}

/** Holds back what is sent on a connection until the returned function is called; then it leaves in one piece. */
export function holdBack(client: pg.ClientBase): () => void {
  const { stream } = (client as pg.ClientBase & { connection: pg.Connection }).connection
  stream.cork()
  return () => stream.uncork()
}

/**
 * Statements that leave in one piece and are answered in one piece: each sending wakes the other side, and costs more than most
 * statements do. A connection prepares each once, and is told its columns only then. `pg` calls the methods as it does
 * those of the query that this is to it.
 */
class Batch extends pg.Query {
  /** Tells `pg` that the answer is there: it puts its own into this place where the URL has a `query_timeout`. */
  declare callback: (error?: unknown) => void
  readonly #statements: readonly Statement[]
  readonly #answers: Answer[] = []
  #known: Known = { prepared: new Map(), hasWarned: false }
  readonly #new = new Set<string>()
  /** The statements as they were known when they left: one before us that fails has them forgotten. */
  readonly #prepared: Prepared[] = []
  #rows: Row[] = []
  #patience: NodeJS.Timeout | undefined

  constructor(statements: readonly Statement[]) {
    super('')
    this.callback = nothing
    this.#statements = statements
  }

  override submit = (connection: pg.Connection): void => {
    this.#patience = setTimeout(giveUp, ANSWER_TIMEOUT_MS, connection)
    this.#known = knownOn(connection)
    this.#known.hasWarned = false
    connection.stream.cork()
    for (const { text, params } of this.#statements) {
      const prepared = this.#known.prepared.get(text) ?? this.#prepare(connection, text)
      this.#prepared.push(prepared)
      connection.bind({ statement: prepared.name, values: params as Param[] }, true)
      connection.execute(null, true)
    }
    connection.sync()
    connection.stream.uncork()
  }

  #prepare(connection: pg.Connection, text: string): Prepared {
    const prepared = { name: nameOf(text), columns: [] }
    this.#known.prepared.set(text, prepared)
    this.#new.add(text)
    // An error may have come between it and us before.
    connection.close({ type: 'S', name: prepared.name }, true)
    connection.parse({ name: prepared.name, text, types: [] }, true)
    connection.describe({ type: 'S', name: prepared.name }, true)
    return prepared
  }

  get #current(): Prepared {
    return this.#prepared[this.#answers.length] as Prepared
  }

  handleRowDescription({ fields }: { fields: readonly pg.FieldDef[] }): void {
    this.#current.columns = fields.map(({ name, dataTypeID }) => ({ name, read: readerOf.get(dataTypeID) ?? asItIs }))
  }

  handleDataRow({ fields }: { fields: readonly (string | null)[] }): void {
    const row: Row = {}
    this.#current.columns.forEach(({ name, read }, index) => {
      const text = fields[index] as string | null
      row[name] = text === null ? null : read(text)
    })
    this.#rows.push(row)
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#answers.push({ rows: this.#rows, tag: text, hasWarned: this.#known.hasWarned })
    this.#known.hasWarned = false
    this.#rows = []
  }

  handleReadyForQuery(): void {
    clearTimeout(this.#patience)
    this.callback()
    for (const [index, answer] of this.#answers.entries()) this.#statements[index]?.resolve(answer)
  }

  handleError(error: unknown): void {
    clearTimeout(this.#patience)
    for (const text of this.#new) this.#known.prepared.delete(text)
    this.callback(error)
    for (const [index, { resolve, reject }] of this.#statements.entries()) {
      const answer = this.#answers[index]
      if (answer) resolve(answer)
      else reject(error)
    }
  }
}
