import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** The repository. */
export const root = join(import.meta.dirname, '../../../..')
const bundle = join(root, 'packages/cli/dist/saldo.js')

// Builds the program if the sources have changed.
const { build } = await import(join(root, 'scripts/setup.mjs'))
await build()

/** Exit of a process. */
export interface Exit {
  code: number | null
  signal: NodeJS.Signals | null
}

export interface ProgramOptions {
  /** Settings; the program does not inherit those of this process. */
  env?: Record<string, string>
  /** The text of stdin; without it, stdin is closed. */
  input?: string | Uint8Array
  /** Leaves stdin open for `type`. */
  isTyped?: boolean
  /** The folder in which it runs. */
  cwd?: string
  /** A command that runs the program's own, such as `nsenter`. */
  through?: readonly string[]
}

/** A process of ours, killed when its test ends. */
export class Program {
  readonly exited: Promise<Exit>
  stdout = ''
  stderr = ''
  readonly #child: ChildProcess
  readonly #watchers = new Set<() => void>()

  constructor(
    command: readonly string[],
    { env = {}, cwd, input, isTyped = false }: Omit<ProgramOptions, 'through'> = {},
  ) {
    const [file = '', ...args] = command
    const child = spawn(file, args, {
      env: environment(env),
      stdio: [input === undefined && !isTyped ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      ...(cwd !== undefined && { cwd }),
    })
    this.#child = child
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream]?.setEncoding('utf8').on('data', (text: string) => {
        this[stream] += text
        this.#look()
      })
    }
    this.exited = new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve({ code, signal }))
    })
    // A program may end without having read its input.
    child.stdin?.on('error', () => undefined)
    if (!isTyped) child.stdin?.end(input)
    void this.exited.finally(() => this.#look())
    onTestFinished(async () => {
      child.kill('SIGKILL')
      await this.exited
    })
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** Writes a line to stdin, as a person at a terminal does. */
  type(line: string): void {
    this.#child.stdin?.write(`${line}\r`)
  }

  kill(signal: NodeJS.Signals): Promise<Exit> {
    this.#child.kill(signal)
    return this.exited
  }

  /** Waits until a stream's text matches; throws where the program ends before. */
  async wrote(stream: 'stdout' | 'stderr', pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this[stream])
      if (match) return match
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`ended (${this.#child.exitCode ?? this.#child.signalCode}) without ${pattern}: ${this.stderr}`)
      }
      await new Promise<void>((resolve) => this.#watchers.add(resolve))
    }
  }

  #look(): void {
    for (const wake of this.#watchers) wake()
    this.#watchers.clear()
  }
}

function environment(settings: Record<string, string>): Record<string, string | undefined> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('SALDO_'))
  // Not the account that the person who runs the tests is signed in to.
  return { ...Object.fromEntries(inherited), XDG_CONFIG_HOME: '/nonexistent', ...settings }
}

/** Starts the built `saldo`. */
export function saldo(args: readonly string[], { through = [], ...options }: ProgramOptions = {}): Program {
  return new Program([...through, process.execPath, bundle, ...args], options)
}

/** Runs the built `saldo` to its end. */
export async function runSaldo(args: readonly string[], options: ProgramOptions = {}) {
  const program = saldo(args, options)
  const { code, signal } = await program.exited
  return { code, signal, stdout: program.stdout, stderr: program.stderr }
}

/** A service that has printed its address. */
export interface Served {
  program: Program
  url: string
  setupCode: string | undefined
}

/** Starts `saldo serve` on a free port and waits for its line. */
export async function serve(dataDir: string, { env, ...options }: ProgramOptions = {}): Promise<Served> {
  return whenServing(saldo(['serve'], { ...options, env: { SALDO_PORT: '0', SALDO_DATA_DIR: dataDir, ...env } }))
}

/** Waits for the line with the address. */
export async function whenServing(program: Program): Promise<Served> {
  const [, url = '', setupCode] = await program.wrote('stdout', /^Saldo is at (\S+?)\/(?:#setup=(\S+))?\n/)
  return { program, url, setupCode }
}

/** A new folder that goes when its test ends. */
export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'saldo-fault-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}
