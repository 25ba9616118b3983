import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket, type TcpNetConnectOpts } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Cuts before the server receives a message, or after it has answered and before the client gets the answer. */
export type Cut = 'before' | 'after'

/** The bytes of COMMIT, as a statement and as its completion. */
const COMMIT = 'COMMIT\0'

/** A planned cut: it depends on what a connection sends and on the answer. */
interface Fate {
  at: Cut
  /** True if the cut applies to `sending`; `sent` is all that the connection has sent since its last commit. */
  isMetBy(sending: string, sent: string): boolean
  isAnsweredBy(bytes: Buffer): boolean
  /** True if all other connections are cut too. */
  isEnd: boolean
}

/** A proxy to a PostgreSQL server that can cut connections at any message, such as in the middle of a commit. */
export class Wire {
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-wire-'))
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #fate: Fate | undefined
  #isDown = false
  #isSilent = false
  /** The number of messages sent since the server fell silent. */
  unanswered = 0

  /** To where a server listens: a path, or a place in the network. It is asked for each connection. */
  static async open(server: { readonly socket: string | TcpNetConnectOpts }): Promise<Wire> {
    const wire = new Wire(server)
    await new Promise<void>((resolve) => wire.#server.listen(join(wire.#folder, '.s.PGSQL.5432'), resolve))
    return wire
  }

  private constructor(server: { readonly socket: string | TcpNetConnectOpts }) {
    this.#server = createServer((client) => {
      if (this.#isDown) return client.destroy()
      const { socket } = server
      this.#carry(client, connect(typeof socket === 'string' ? { path: socket } : socket))
    })
  }

  /** The URL of a database of that server, by this way. */
  through(url: string): string {
    return url.replace(/^(\w+:\/\/(?:[^@/]*@)?)[^/]*/, `$1${encodeURIComponent(this.#folder)}`)
  }

  /** Cuts the next write that sends this text, in the middle of its commit. */
  cutCommit(at: Cut, of: string): void {
    this.#fate = {
      at,
      isMetBy: (sending, sent) => sending.includes(COMMIT) && sent.includes(of),
      isAnsweredBy: (bytes) => bytes.includes(COMMIT),
      isEnd: false,
    }
  }

  /** Cuts the connection that sends the `count`-th message from now on; with `isEnd`, all connections. */
  cutSending(at: Cut, count: number, isEnd = false): void {
    let left = count
    const isMetBy = () => {
      left -= 1
      return left === 0
    }
    this.#fate = { at, isMetBy, isAnsweredBy: () => true, isEnd }
  }

  /** True if a planned cut has not happened yet. */
  get isArmed(): boolean {
    return this.#fate !== undefined
  }

  /** Cuts everything, and lets nothing pass from now on. */
  goDown(): void {
    this.#isDown = true
    for (const socket of this.#sockets) socket.destroy()
  }

  /** From now on, nothing is heard of the server, as where it is gone without a word. */
  fallSilent(): void {
    this.#isSilent = true
    this.unanswered = 0
  }

  /** Lets everything pass again, and nothing is to be cut any more. */
  calm(): void {
    this.#fate = undefined
    this.#isDown = false
    this.#isSilent = false
  }

  async close(): Promise<void> {
    this.goDown()
    await new Promise((resolve) => this.#server.close(resolve))
    rmSync(this.#folder, { recursive: true })
  }

  #carry(client: Socket, server: Socket): void {
    const end = () => {
      for (const socket of [client, server]) {
        socket.destroy()
        this.#sockets.delete(socket)
      }
    }
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      socket.on('error', end).on('close', end)
    }
    let sent = ''
    let met: Fate | undefined
    const cut = ({ isEnd }: Fate) => (isEnd ? this.goDown() : end())
    client.on('data', (bytes) => {
      const sending = bytes.toString('latin1')
      sent += sending
      const fate = this.#fate
      if (fate?.isMetBy(sending, sent)) {
        this.#fate = undefined
        if (fate.at === 'before') return cut(fate)
        met = fate
      }
      if (sending.includes(COMMIT)) sent = ''
      if (this.#isSilent) this.unanswered += 1
      server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => {
      if (this.#isSilent) return
      if (!met) client.write(bytes)
      else if (met.isAnsweredBy(bytes)) cut(met)
    })
  }
}
