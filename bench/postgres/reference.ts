/**
 * The reference on PostgreSQL: `node:http` and a pool of as many connections as a node of Saldo has. A push is one
 * transaction with the user's counter, in two round trips; a pull is one. It checks nothing, and has no sign-in, no
 * conflict rule, no log and no account. It compresses snapshots for clients that accept zstd.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { constants, zstdCompress } from 'node:zlib'
import pg from 'pg'

interface Change {
  kind: string
  record: { id: string; updated_at: string }
}

const INT8 = 20
const pool = new pg.Pool({
  ...(process.argv[2] !== undefined && { connectionString: process.argv[2] }),
  max: 16,
  pipeline: true,
  types: { getTypeParser: (type: number) => (type === INT8 ? Number : (text: string) => text) },
})
await pool.query(`
  CREATE TABLE IF NOT EXISTS counters (user_id BIGINT PRIMARY KEY, version BIGINT NOT NULL);
  CREATE TABLE IF NOT EXISTS records (
    user_id BIGINT NOT NULL, kind TEXT COLLATE "C" NOT NULL, id TEXT COLLATE "C" NOT NULL, version BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL, PRIMARY KEY (user_id, kind, id)
  );
  CREATE INDEX IF NOT EXISTS records_by_version ON records (user_id, version);
`)

const count = `INSERT INTO counters (user_id, version) VALUES ($1, $2)
  ON CONFLICT (user_id) DO UPDATE SET version = counters.version + excluded.version RETURNING version`
const put = `INSERT INTO records (user_id, kind, id, version, body)
  SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bigint[], $5::text[])
  ON CONFLICT (user_id, kind, id) DO UPDATE SET version = excluded.version, body = excluded.body`
const last = 'SELECT version FROM counters WHERE user_id = $1'
const since = 'SELECT kind, body FROM records WHERE user_id = $1 AND version > $2 ORDER BY version LIMIT 5000'
const all = 'SELECT kind, body FROM records WHERE user_id = $1'

async function push(user: number, text: string): Promise<string> {
  const { changes } = JSON.parse(text) as { changes: Change[] }
  const created_at = new Date().toISOString()
  const client = await pool.connect()
  const begun = client.query('BEGIN')
  const counted = client.query({ name: 'count', text: count, values: [user, changes.length] })
  const { version } = (await Promise.all([begun, counted]))[1].rows[0] as { version: number }
  const results = changes.map(({ kind, record: { id, updated_at } }, index) => {
    return { kind, id, status: 'applied', version: version - changes.length + 1 + index, updated_at }
  })
  const bodies = changes.map(({ record }, index) =>
    JSON.stringify({ ...record, created_at, version: results[index]?.version }),
  )
  const columns = [results.map(({ kind }) => kind), results.map(({ id }) => id), results.map((one) => one.version)]
  const written = client.query({ name: 'put', text: put, values: [user, ...columns, bodies] })
  await Promise.all([written, client.query('COMMIT')])
  client.release()
  return JSON.stringify({ version, server_time: created_at, results })
}

async function pull(user: number, after: string | null): Promise<string> {
  const client = await pool.connect()
  const query =
    after === null ? { name: 'all', text: all, values: [user] } : { name: 'since', text: since, values: [user, after] }
  const asked = [client.query({ name: 'last', text: last, values: [user] }), client.query(query)] as const
  const [point, { rows }] = await Promise.all(asked)
  client.release()
  const lists = [...Map.groupBy(rows as { kind: string; body: string }[], ({ kind }) => kind)].map(([kind, those]) => {
    return `"${kind}":[${those.map(({ body }) => body).join(',')}]`
  })
  return `{"version":${point.rows[0].version},"changes":{${lists.join(',')}}}`
}

async function answer(request: IncomingMessage): Promise<string> {
  const user = Number(request.headers.authorization)
  if (request.method === 'POST') return push(user, Buffer.concat(await request.toArray()).toString())
  return pull(user, new URL(request.url ?? '/', 'http://localhost').searchParams.get('since'))
}

const compressed = promisify(zstdCompress)

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = await answer(request)
  const headers = { 'content-type': 'application/json' }
  if (request.headers['accept-encoding'] === 'zstd') {
    const bytes = await compressed(text, { params: { [constants.ZSTD_c_compressionLevel]: 1 } })
    response.writeHead(200, { ...headers, 'content-encoding': 'zstd', 'content-length': bytes.byteLength }).end(bytes)
  } else response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
}

// A failure ends the process and with it the benchmark.
const server = createServer((request, response) => void handle(request, response))
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`))
process.once('SIGTERM', () => process.exit())
