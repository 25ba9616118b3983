import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PostgresCluster } from './cluster.ts'

/** Where a commit is cut: before the server hears of it, or when it has committed and nobody has heard of that. */
export type Cut = 'before' | 'after'

/** How both sides write it. */
const COMMIT = 'COMMIT\0'

/** A way to a PostgreSQL on which the connection of a write can be cut in the middle of its commit. */
export class Wire {
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-wire-'))
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #cut: { at: Cut; of: string } | undefined

  static async open(cluster: PostgresCluster): Promise<Wire> {
    const wire = new Wire(cluster)
    await new Promise<void>((resolve) => wire.#server.listen(join(wire.#folder, '.s.PGSQL.5432'), resolve))
    return wire
  }

  private constructor(cluster: PostgresCluster) {
    this.#server = createServer((client) => this.#carry(client, connect(cluster.socket)))
  }

  url(database: string): string {
    return `postgresql://saldo@${encodeURIComponent(this.#folder)}/${database}`
  }

  /** Cuts the next write that sends this text. */
  cutCommit(at: Cut, of: string): void {
    this.#cut = { at, of }
  }

  /** Whether there is a cut that no write has met yet. */
  get isArmed(): boolean {
    return this.#cut !== undefined
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
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
    let isCutNow = false
    client.on('data', (bytes) => {
      const text = bytes.toString('latin1')
      sent += text
      if (text.includes(COMMIT)) {
        const { at, of } = this.#cut ?? {}
        if (of !== undefined && sent.includes(of)) {
          this.#cut = undefined
          if (at === 'before') return end()
          isCutNow = true
        }
        sent = ''
      }
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (!isCutNow) client.write(bytes)
      else if (bytes.includes(COMMIT)) end()
    })
  }
}
