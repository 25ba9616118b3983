// Makes the client of this repository a client under test: reads commands as lines of JSON and answers each. The name
// of a planted fault as argument makes it break a rule.
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fetchTransport, openSaldo, RejectedError, type Saldo } from '@saldo/client'
import { sqliteStore } from '@saldo/client/node'
import type { JsonObject, RecordId, UserNumber, WritableKind } from '@saldo/core'
import { clientFaults } from '../planted/client-faults.ts'

type Command = { kind: WritableKind; id: RecordId; content: never } & Record<
  'do' | 'url' | 'token' | 'folder',
  string
> & {
    user: UserNumber
  }

const [, , name = ''] = process.argv
const alter = clientFaults[name]?.alter ?? ((transport) => transport)

let saldo: Saldo | undefined

const opened = (): Saldo => {
  if (!saldo) throw new Error('nothing is open')
  return saldo
}
const collectionOf = (kind: WritableKind) =>
  ({
    entries: opened().entries,
    settings_history: opened().settings,
    balance_adjustments: opened().balanceAdjustments,
  })[kind]

const doings: Record<string, (command: Command) => Promise<object>> = {
  async open({ url, token, user, folder }) {
    const transport = alter(fetchTransport({ url, token, user }))
    saldo = await openSaldo({ url, token, user, transport, store: sqliteStore(join(folder, 'client.db')) })
    return {}
  },
  async close() {
    await saldo?.close()
    saldo = undefined
    return {}
  },
  async create({ kind, content }) {
    const { id } = await collectionOf(kind).create(content).settled
    return { id }
  },
  async update({ kind, id, content }) {
    await collectionOf(kind).update(id, content).settled
    return {}
  },
  async delete({ kind, id }) {
    await collectionOf(kind).delete(id).settled
    return {}
  },
  async sync() {
    await opened().sync()
    return {}
  },
  async records({ kind }) {
    const rows: readonly { record: unknown }[] = await collectionOf(kind).all().read()
    return { records: rows.map(({ record }) => record) }
  },
  async status() {
    const { unsent, rejected, conflicts } = await opened().status.read()
    return { pending: unsent, rejected, overridden: conflicts }
  },
}

async function answerTo(line: string): Promise<JsonObject> {
  try {
    const command = JSON.parse(line) as Command
    return { ok: true, ...(await doings[command.do]?.(command)) }
  } catch (error) {
    if (error instanceof RejectedError) return { ok: false, code: error.problem.code }
    return { ok: false, code: 'failed', detail: String(error) }
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answerTo(line))}\n`)
}
await saldo?.close()
