import { Agent, request } from 'node:http'
import { systemRandom } from '@saldo/server'

/** A server under load: where it is, and how a user shows who they are. */
export interface Target {
  port: number
  authorization: (user: number) => string
  acceptEncoding?: string
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Sends a request and reads the answer whole; throws unless it is a success. Returns the body's bytes as sent. */
export function send(target: Target, user: number, method: string, path: string, body?: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: '127.0.0.1',
        port: target.port,
        method,
        path,
        headers: {
          authorization: target.authorization(user),
          ...(target.acceptEncoding && { 'accept-encoding': target.acceptEncoding }),
          ...(body !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
        },
      },
      (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          const answer = Buffer.concat(chunks)
          const status = incoming.statusCode ?? 0
          if (status >= 200 && status < 300) resolve(answer)
          else reject(new Error(`${method} ${path}: ${status} ${answer.toString().slice(0, 300)}`))
        })
      },
    )
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // The server had just given up a connection that nobody had used for a while.
      if (outgoing.reusedSocket && error.code === 'ECONNRESET') resolve(send(target, user, method, path, body))
      else reject(error)
    })
    outgoing.end(body)
  })
}

/** Does something for each number below `count`, so many at once. */
export async function inPieces(count: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let start = 0; start < count; start += atOnce) {
    const size = Math.min(atOnce, count - start)
    await Promise.all(Array.from({ length: size }, (_, index) => work(start + index)))
  }
}

/** Runs jobs, so many at a time, until all are done. */
export async function atConcurrency(limit: number, jobs: readonly (() => Promise<unknown>)[]): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < jobs.length) {
      const job = jobs[next] as () => Promise<unknown>
      next += 1
      await job()
    }
  }
  await Promise.all(Array.from({ length: limit }, worker))
}

export function closeLoad(): void {
  agent.destroy()
}

const START_MS = Date.parse('2016-01-04T07:00:00.000Z')

/** An entry of 80 minutes; the n-th is `everyMinutes` after the one before, from the first Monday of 2016 on. */
export function sampleEntry(n: number, everyMinutes = 90): { id: string; [field: string]: unknown } {
  const startMs = START_MS + n * everyMinutes * 60_000
  const endMs = startMs + 80 * 60_000
  return {
    id: systemRandom.uuid(),
    kind: 'work',
    started_at: new Date(startMs).toISOString(),
    ended_at: new Date(endMs).toISOString(),
    time_zone: 'Europe/Berlin',
    note: `Worked on item ${n}`,
    tags: ['client', 'design'],
    project: 'Relaunch',
    source: 'bench',
    import_ref: null,
    updated_at: new Date(endMs).toISOString(),
  }
}

/** Sets eight hours from Monday to Friday in Berlin, from a date on. */
export async function setHours(target: Target, user: number, effective_from: string, more: object = {}): Promise<void> {
  const target_ms = [...Array(5).fill(28_800_000), 0, 0]
  const settings = { effective_from, time_zone: 'Europe/Berlin', target_ms, ...more }
  await send(target, user, 'POST', '/api/settings', JSON.stringify(settings))
}

/** The bodies of pushes that bring `count` entries, `size` in each. */
export function pushBodies(count: number, size: number): string[] {
  return Array.from({ length: Math.ceil(count / size) }, (_, batch) => {
    const length = Math.min(size, count - batch * size)
    return pushBody(Array.from({ length }, (_, index) => sampleEntry(batch * size + index)))
  })
}

/** The body of a push of entries. */
export function pushBody(entries: readonly { id: string }[]): string {
  const changes = entries.map((record, index) => ({ kind: 'entries', op: 'upsert', seq: index, record }))
  return JSON.stringify({ changes })
}
