import { createReadStream, existsSync, statSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isHeavy } from '../../../core/test/tier.ts'
import { heavyTest } from '../heavy-test.ts'
import { addAccount, Backlog, type Call, caller, expectConsistentClosings, work } from './full-time.ts'
import { type Exit, type Served, serve, temporaryDir } from './program.ts'

const CLEAN: Exit = { code: 0, signal: null }
/** Long above the 8 s that are promised, and below the minute after which nothing waits for a request any more. */
const LIMIT_MS = 30_000

/** A connection of which a test decides every byte. */
class RawConnection {
  received = ''
  readonly ended: Promise<void>
  readonly #socket: Socket
  #wake = () => {}

  constructor(url: string) {
    this.#socket = connect(Number(new URL(url).port), '127.0.0.1')
    this.#socket.setEncoding('utf8').on('data', (text: string) => {
      this.received += text
      this.#wake()
    })
    // A connection that is broken off has ended too.
    this.#socket.on('error', () => undefined)
    this.ended = new Promise((resolve) => this.#socket.once('close', () => resolve()))
    onTestFinished(() => void this.#socket.destroy())
  }

  /** Sends text; resolved when it is on its way. */
  send(text: string): Promise<void> {
    return new Promise((resolve) => this.#socket.write(text, () => resolve()))
  }

  async receives(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.received)) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

/** The parts of a request that creates an entry: the service has begun to read it when it says so. */
function slowRequest(token: string): [head: string, body: string] {
  const body = JSON.stringify(work('2024-01-02'))
  const head = [
    'POST /api/entries HTTP/1.1',
    'host: localhost',
    `authorization: Bearer ${token}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    'expect: 100-continue',
  ]
  return [`${head.join('\r\n')}\r\n\r\n`, body]
}

/** Waits until the service has taken note of a signal: it takes no more connections. */
async function stopsListening(url: string): Promise<void> {
  const { port } = new URL(url)
  for (;;) {
    const connected = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.destroy()
        resolve(true)
      })
      socket.on('error', () => resolve(false))
    })
    if (!connected) return
  }
}

/** The process must be gone in time; if not, it is killed, which shows. */
async function exitInTime({ program }: Served): Promise<Exit> {
  const impatience = setTimeout(() => void program.kill('SIGKILL'), LIMIT_MS)
  const exit = await program.exited
  clearTimeout(impatience)
  return exit
}

function expectCheckpointed(dir: string): void {
  const wal = join(dir, 'saldo.db-wal')
  expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0)
}

for (const signal of isHeavy ? (['SIGTERM', 'SIGINT'] as const) : (['SIGTERM'] as const)) {
  test(`${signal}: requests are answered, idle connections and streams end, the log is checkpointed`, async () => {
    const dir = temporaryDir()
    const token = await addAccount(dir)
    const service = await serve(dir)
    expect((await caller(service.url, token)('POST', '/api/entries', work('2024-01-01'))).status).toBe(201)
    expect(statSync(join(dir, 'saldo.db-wal')).size).toBeGreaterThan(0)

    const idle = new RawConnection(service.url)
    await idle.send('GET /api/version HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await idle.receives(/"protocol"/)
    const silent = new RawConnection(service.url)
    const events = new RawConnection(service.url)
    await events.send(`GET /api/sync/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\n\r\n`)
    await events.receives(/^data: /m)
    const slow = new RawConnection(service.url)
    const [head, body] = slowRequest(token)
    await slow.send(head)
    await slow.receives(/^HTTP\/1\.1 100 Continue/)
    await slow.send(body.slice(0, 20))

    const exited = service.program.kill(signal)
    await Promise.all([idle.ended, silent.ended, events.ended, stopsListening(service.url)])
    // A second one changes nothing.
    void service.program.kill(signal)
    await slow.send(body.slice(20))
    await slow.receives(/HTTP\/1\.1 201 Created.*\r\nconnection: close\r\n.*"started_at"/is)
    await slow.ended
    expect(await exited).toEqual(CLEAN)
    expect(service.program.stderr).not.toMatch(/"level":"error"/)
    expectCheckpointed(dir)

    const next = await serve(dir)
    expect((await caller(next.url, token)('GET', '/api/entries')).body.items).toHaveLength(2)
  })
}

heavyTest('a draining service is not ready: open connections get that answer, new ones are refused', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const service = await serve(dir)
  const slow = new RawConnection(service.url)
  const [head, body] = slowRequest(token)
  await slow.send(head)
  await slow.receives(/^HTTP\/1\.1 100 Continue/)
  const probe = new RawConnection(service.url)
  await probe.send('GET /api/health/ready HTTP/1.1\r\nhost: localhost\r\n\r\n')
  await probe.receives(/"status":"ok"/)
  // Begun before the end began, whole only after.
  await probe.send('GET /api/health/ready HTTP/1.1\r\n')
  // The service has read this far once it has answered somebody who asked later.
  expect((await caller(service.url)('GET', '/api/health/live')).status).toBe(200)
  const exited = service.program.kill('SIGTERM')
  await stopsListening(service.url)
  await probe.send('host: localhost\r\n\r\n')
  await probe.receives(/HTTP\/1\.1 503 .*connection: close\r\n.*"code":"unavailable"/is)
  await probe.ended
  await slow.send(body)
  await slow.receives(/HTTP\/1\.1 201 Created/)
  expect(await exited).toEqual(CLEAN)
  expect(service.program.stderr).not.toMatch(/"level":"error"/)
})

heavyTest('SIGTERM: clients that never end their requests do not hold it up beyond its limit', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  const service = await serve(dir)
  const halfBody = new RawConnection(service.url)
  const [head, body] = slowRequest(token)
  await halfBody.send(head)
  await halfBody.receives(/100 Continue/)
  await halfBody.send(body.slice(0, 20))
  const halfHead = new RawConnection(service.url)
  await halfHead.send('GET /api/version HTTP/1.1\r\nhost: loc')
  void service.program.kill('SIGTERM')
  expect(await exitInTime(service)).toEqual(CLEAN)
  // That a client did not finish is no fault of the service.
  expect(service.program.stderr).not.toMatch(/"level":"error"/)
  expectCheckpointed(dir)
})

heavyTest(
  'a reader that does not read the log delays neither requests nor the stop, and gets the lines later',
  async () => {
    const dir = temporaryDir()
    const pipe = join(dir, 'log')
    const through = ['sh', '-c', 'mkfifo "$0" && exec "$@" 2<>"$0"', pipe]
    const service = await serve(join(dir, 'data'), { through, env: { SALDO_LOG_LEVEL: 'debug' } })
    const ask = async () => expect((await caller(service.url)('GET', '/api/version')).status).toBe(200)
    // A pipe holds 64 KiB.
    const asked = 700
    for (let n = 0; n < asked; n += 1) await ask()
    const reader = createReadStream(pipe, 'utf8')
    onTestFinished(() => void reader.destroy())
    let read = ''
    reader.on('data', (text) => {
      read += text
    })
    // The first line is that of the start.
    await expect.poll(() => read.split('\n').length, { timeout: 10_000 }).toBe(asked + 2)
    const [, ...requests] = read.trim().split('\n')
    for (const line of requests) expect(JSON.parse(line).route).toBe('/api/version')
    reader.destroy()
    for (let n = 0; n < asked; n += 1) await ask()
    void service.program.kill('SIGTERM')
    expect(await exitInTime(service)).toEqual(CLEAN)
  },
)

heavyTest('[D3.34] after SIGTERM during a job, its finished part stays and the next start continues it', async () => {
  const dir = temporaryDir()
  const token = await addAccount(dir)
  let service = await serve(dir)
  const call: Call = (...request) => caller(service.url, token)(...request)
  const lastClosed = async () => (await call('GET', '/api/balance')).body.last_closed_week
  const backlog = new Backlog(call)
  // A service that is done before it was stopped is given more to do.
  let last = ''
  for (let stops = 0; stops < 2; ) {
    last = await backlog.grow()
    for (let seen = await lastClosed(); seen !== last && stops < 2; ) {
      const now = await lastClosed()
      if (now !== seen && now !== last) {
        stops += 1
        expect(await service.program.kill('SIGTERM')).toEqual(CLEAN)
        expectCheckpointed(dir)
        service = await serve(dir)
      }
      seen = now
    }
  }
  await expect.poll(lastClosed).toBe(last)
  const { weeks } = await expectConsistentClosings(call)
  expect(weeks).toHaveLength(backlog.weeks)
  expect(weeks.every(({ revision }) => revision === 1)).toBe(true)
})
