/**
 * The reference: a bare node:http + SQLite server. It stores the same records with the same durability and shares
 * commits in the same way, but it checks nothing, knows no sign-in, no conflicts, no log and no account. What Saldo
 * does beyond it is what Saldo costs.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'

interface Waiting {
  user: number
  records: { id: string }[]
  answer: (text: string) => void
}

const db = new Database(process.argv[2])
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.exec(`
  CREATE TABLE IF NOT EXISTS records (
    user_id INTEGER NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (user_id, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_by_version ON records (user_id, version);
`)
const put = db.prepare(
  `INSERT INTO records (user_id, id, version, body) VALUES (?, ?, ?, ?)
   ON CONFLICT (user_id, id) DO UPDATE SET version = excluded.version, body = excluded.body`,
)
const since = db
  .prepare('SELECT body FROM records WHERE user_id = ? AND version > ? ORDER BY version LIMIT 5000')
  .pluck()
const all = db.prepare('SELECT body FROM records WHERE user_id = ?').pluck()
let version = (db.prepare('SELECT MAX(version) FROM records').pluck().get() as number | null) ?? 0

let waiting: Waiting[] = []

const commit = db.transaction((group: Waiting[]) => {
  for (const { user, records } of group) {
    for (const record of records) {
      version += 1
      put.run(user, record.id, version, JSON.stringify(record))
    }
  }
})

function push(user: number, text: string, answer: (text: string) => void): void {
  const { changes } = JSON.parse(text) as { changes: { record: { id: string } }[] }
  waiting.push({ user, records: changes.map(({ record }) => record), answer })
  if (waiting.length > 1) return
  setImmediate(() => {
    const group = waiting
    waiting = []
    commit(group)
    for (const { records, answer } of group) {
      answer(JSON.stringify({ version, results: records.map(({ id }) => ({ id, status: 'applied' })) }))
    }
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
  const bodies = (after === null ? all.all(user) : since.all(user, Number(after))) as string[]
  send(response, `{"version":${version},"changes":[${bodies.join(',')}]}`)
}

const server = createServer(handle)
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
