import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** The task of `database-child.ts`. */
export interface Orders {
  file: string
  as?: 'service' | 'command'
  /**
   * `open` closes it again at once, `hold` when stdin ends; `write` waits for stdin to end and then puts `count`
   * records of a user; `exec` runs `statements` on the bare file and holds it until stdin ends.
   */
  work: 'open' | 'hold' | 'write' | 'exec'
  /** Where its clock stands. */
  nowMs?: number
  user?: number
  count?: number
  statements?: string
  /** Kills the process at the so-many-th step that it takes in making or migrating the database. */
  killAtStep?: number
}

/** A report of the child, one line of JSON. */
export type Report =
  | { tells: 'opened'; from: number; to: number; steps: string[] }
  | { tells: 'refused'; name: string; message: string }
  | { tells: 'wrote'; versions: number[] }
  | { tells: 'ready' | 'closed' }

/** The command that runs a child. */
export function childCommand(orders: Orders): string[] {
  const script = fileURLToPath(new URL('./database-child.ts', import.meta.url))
  return [process.execPath, script, JSON.stringify(orders)]
}

/** A process of its own that works on a database file. */
export class DatabaseChild {
  readonly #process: ChildProcess
  readonly #reports: Report[] = []
  readonly #watchers = new Set<() => void>()
  /** Resolves when the process has ended. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stderr: string }>

  constructor(orders: Orders, through: readonly string[] = []) {
    const [command = '', ...args] = [...through, ...childCommand(orders)]
    const child = spawn(command, args, { stdio: 'pipe' })
    this.#process = child
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    createInterface(child.stdout).on('line', (line) => {
      this.#reports.push(JSON.parse(line))
      for (const look of this.#watchers) look()
    })
    this.ended = new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve({ code, signal, stderr }))
    })
    onTestFinished(async () => {
      this.kill()
      await this.ended
    })
  }

  /** The next thing that the child tells. Throws where it ends without a word. */
  async report(): Promise<Report> {
    const told = new Promise<void>((resolve) => {
      const look = () => {
        if (this.#reports.length > 0) resolve()
      }
      this.#watchers.add(look)
      look()
    })
    await Promise.race([told, this.ended])
    const report = this.#reports.shift()
    if (!report) throw new Error(`the child told nothing: ${(await this.ended).stderr}`)
    return report
  }

  /** Ends its stdin: what it waits for. */
  goOn(): void {
    this.#process.stdin?.end()
  }

  kill(): void {
    this.#process.kill('SIGKILL')
  }
}
