/**
 * The reference: a bare node:http + SQLite server. It stores the same records with the same durability, shares commits
 * in the same way and answers in the same words, but it checks nothing, knows no sign-in, no conflicts, no log and no
 * account. What Saldo does beyond it is what Saldo costs.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'

interface Change {
  kind: string
  record: { id: string; updated_at: string }
}

interface Result {
  kind: string
  id: string
  status: 'applied'
  version: number
  updated_at: string
}

interface Waiting {
  user: number
  changes: Change[]
  answer: (results: Result[]) => void
}

const db = new Database(process.argv[2])
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`
  CREATE TABLE IF NOT EXISTS records (
    user_id INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (user_id, kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_by_version ON records (user_id, version);
`)
const put = db.prepare(
  `INSERT INTO records (user_id, kind, id, version, body) VALUES (?, ?, ?, ?, ?)
   ON CONFLICT (user_id, kind, id) DO UPDATE SET version = excluded.version, body = excluded.body`,
)
const since = db.prepare('SELECT kind, body FROM records WHERE user_id = ? AND version > ? ORDER BY version LIMIT 5000')
const all = db.prepare('SELECT kind, body FROM records WHERE user_id = ?')
let version = (db.prepare('SELECT MAX(version) FROM records').pluck().get() as number | null) ?? 0

let waiting: Waiting[] = []

const commit = db.transaction((group: Waiting[]): Result[][] => {
  const created_at = new Date().toISOString()
  return group.map(({ user, changes }) =>
    changes.map(({ kind, record }) => {
      version += 1
      put.run(user, kind, record.id, version, JSON.stringify({ ...record, created_at, version }))
      return { kind, id: record.id, status: 'applied', version, updated_at: record.updated_at }
    }),
  )
})

function push(user: number, text: string, answer: (text: string) => void): void {
  const { changes } = JSON.parse(text) as { changes: Change[] }
  const server_time = new Date().toISOString()
  waiting.push({ user, changes, answer: (results) => answer(JSON.stringify({ version, server_time, results })) })
  if (waiting.length > 1) return
  setImmediate(() => {
    const group = waiting
    waiting = []
    const results = commit(group)
    for (const [index, { answer }] of group.entries()) answer(results[index] as Result[])
  })
}

function send(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

function handle(request: IncomingMessage, response: ServerResponse): void {
  const user = Number(request.headers.authorization)
  if (request.method === 'POST') {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => push(user, Buffer.concat(chunks).toString(), (text) => send(response, text)))
    return
  }
  const after = new URL(request.url ?? '/', 'http://localhost').searchParams.get('since')
  const rows = (after === null ? all.all(user) : since.all(user, Number(after))) as { kind: string; body: string }[]
  const lists = [...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, those]) => {
    return `"${kind}":[${those.map(({ body }) => body).join(',')}]`
  })
  send(response, `{"version":${version},"changes":{${lists.join(',')}}}`)
}

const server = createServer(handle)
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
