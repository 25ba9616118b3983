import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { folderInMemory } from '../memory.ts'
import { postgresBinaries } from './binaries.ts'

/** PostgreSQL refuses to run as root: then it runs as nobody. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** The log line of a server that accepts connections; a standby accepts only reads. */
const READY = /ready to accept (read-only )?connections/

/** The log line of a server that finds processes of the one before it. */
const STILL_THERE = /pre-existing shared memory block .* is still in use/

/** Stops a cluster after ending its sessions, at once, or by killing its first process. */
export type StopMode = 'fast' | 'immediate' | 'kill'
const signals = { fast: 'SIGINT', immediate: 'SIGQUIT', kill: 'SIGKILL' } as const

export interface ClusterOptions {
  /** Of `postgresql.conf`. */
  settings?: Record<string, string>
  /** The folder of PostgreSQL's programs, if not the newest that are installed. */
  binaries?: string
  /** Where its folder is made, if not in memory where there is room. */
  within?: string
  /** The command through which it runs, such as that into a small disk; there it is root who becomes nobody. */
  through?: readonly string[]
  /** Where its write-ahead log lies, if not with the rest. */
  log?: string
}

const BECOME_NOBODY = ['unshare', '--user', '--map-user=65534', '--map-group=65534']

/** A PostgreSQL of its own, in a new folder, reached through a socket in it. */
export class PostgresCluster {
  readonly #binaries: string
  readonly #options: ClusterOptions
  readonly #user: { uid?: number; gid?: number }
  readonly #folder: string
  readonly #settings: readonly string[]
  #server: ChildProcess | undefined

  /** Starts one. Its default order of texts is English, not that of their bytes. */
  static async start(options: ClusterOptions = {}): Promise<PostgresCluster> {
    const binaries = options.binaries ?? postgresBinaries()
    if (!binaries) throw new Error('PostgreSQL is missing: `npm test` installs it, or says what to do')
    const cluster = new PostgresCluster(binaries, options)
    const locale = ['--locale=C', '--locale-provider=icu', '--icu-locale=en-US', '--encoding=UTF8']
    const log = options.log === undefined ? [] : [`--waldir=${options.log}`, '--wal-segsize=1']
    const access = ['--username=saldo', '--auth=trust']
    cluster.#run('initdb', ...locale, ...access, ...log, '--no-instructions', `--pgdata=${cluster.#data}`)
    await cluster.start()
    return cluster
  }

  /** Starts a standby of this one, which follows it. */
  async standby(): Promise<PostgresCluster> {
    const standby = new PostgresCluster(this.#binaries, this.#options)
    const from = ['--host', this.#folder, '--username=saldo']
    standby.#run('pg_basebackup', ...from, '--checkpoint=fast', '--write-recovery-conf', `--pgdata=${standby.#data}`)
    await standby.start()
    return standby
  }

  /** Lets a standby take the place of the one that it followed. */
  promote(): void {
    this.#run('pg_ctl', 'promote', `--pgdata=${this.#data}`)
  }

  private constructor(binaries: string, options: ClusterOptions) {
    this.#binaries = binaries
    this.#options = options
    this.#folder = mkdtempSync(join(options.within ?? folderInMemory() ?? tmpdir(), 'saldo-pg-'))
    this.#user = options.through ? {} : nobody
    const { uid, gid } = this.#user
    if (uid !== undefined && gid !== undefined) chownSync(this.#folder, uid, gid)
    const fixed = { listen_addresses: '', unix_socket_directories: this.#folder }
    const all = { ...fixed, max_connections: '300', ...options.settings }
    this.#settings = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    // However this process ends, unless it is killed.
    process.once('exit', () => {
      this.#server?.kill('SIGKILL')
      rmSync(this.#folder, { recursive: true, force: true })
    })
  }

  /** Where it listens. */
  get socket(): string {
    return join(this.#folder, '.s.PGSQL.5432')
  }

  /** The id of its first process, which all others are children of. */
  get pid(): number | undefined {
    return this.#server?.pid
  }

  /** The folder of that socket, which is its name as a host. */
  get host(): string {
    return this.#folder
  }

  url(database: string): string {
    return `postgresql://saldo@${encodeURIComponent(this.#folder)}/${database}`
  }

  get #data(): string {
    return join(this.#folder, 'data')
  }

  #command(program: string, args: readonly string[]): [string, ...string[]] {
    const { through } = this.#options
    const command = [...(through ? [...through, ...BECOME_NOBODY] : []), join(this.#binaries, program), ...args]
    return command as [string, ...string[]]
  }

  /** Runs one of PostgreSQL's programs to its end. */
  #run(program: string, ...args: string[]): void {
    const [file, ...rest] = this.#command(program, args)
    execFileSync(file, rest, {
      ...this.#user,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }

  /** Starts a stopped server. The processes of a killed one hold its memory until they end, a moment later. */
  async start(): Promise<void> {
    let told: string
    do told = await this.#tryToStart()
    while (STILL_THERE.test(told))
    if (!READY.test(told)) throw new Error(`PostgreSQL did not start: ${told}`)
  }

  /** Starts it, and returns what it told until it was ready or had ended. */
  async #tryToStart(): Promise<string> {
    const [file, ...args] = this.#command('postgres', ['-D', this.#data, ...this.#settings])
    const server = spawn(file, args, {
      ...this.#user,
      cwd: this.#folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#server = server
    let told = ''
    for await (const text of server.stderr.setEncoding('utf8')) {
      told += text
      if (READY.test(told)) break
    }
    return told
  }

  async stop(mode: StopMode = 'fast'): Promise<void> {
    const server = this.#server
    if (!server) return
    this.#server = undefined
    // It may have ended by itself.
    if (server.exitCode !== null || server.signalCode !== null) return
    const ended = once(server, 'exit')
    server.kill(signals[mode])
    await ended
  }

  async restart(mode: StopMode): Promise<void> {
    await this.stop(mode)
    await this.start()
  }

  /** Ends it, with all that it holds. */
  async remove(): Promise<void> {
    await this.stop('immediate')
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
