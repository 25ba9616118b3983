import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

/** A new folder that goes when its test ends. */
export function temporaryDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'saldo-client-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

/** A process, killed when its test ends. */
export class Child {
  stdout = ''
  readonly #process: ChildProcess
  readonly #ended: Promise<unknown>
  #stderr = ''
  #look = () => {}

  constructor([file = '', ...args]: readonly string[]) {
    this.#process = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    this.#process.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text
      this.#look()
    })
    this.#process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    this.#ended = new Promise((resolve, reject) => {
      this.#process.on('error', reject)
      this.#process.on('close', resolve)
    })
    onTestFinished(() => this.kill())
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  /** Kills it, which it cannot refuse, and waits until it is gone. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL')
    await this.#ended
  }

  /** Waits until it has written what matches; throws where it ends before. */
  wrote(pattern: RegExp): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#look = () => pattern.test(this.stdout) && resolve()
      this.#look()
      void this.#ended.then(() => reject(new Error(`ended without ${pattern}: ${this.#stderr}`)), reject)
    })
  }
}

/** A process that opens a store and writes so many transactions into it. */
export function writingChild(file: string, count: number): Child {
  return childOf(new URL('./writing-child.ts', import.meta.url), file, count)
}

/** A process that so many times waits for a store, opens it and erases it. */
export function erasingChild(file: string, count: number): Child {
  return childOf(new URL('./erasing-child.ts', import.meta.url), file, count)
}

function childOf(script: URL, file: string, count: number): Child {
  return new Child([process.execPath, fileURLToPath(script), file, String(count)])
}

/**
 * A process on a disk of its own with so many KiB, a tmpfs that only it sees and that ends with it. It needs no
 * rights.
 */
export function fullDiskChild(kib: number): Child {
  const script = fileURLToPath(new URL('./full-disk-child.ts', import.meta.url))
  const run = `mount -t tmpfs -o size=${kib}k saldo-test "$0" && exec "$1" "$2" "$0"`
  return new Child([
    ...['unshare', '--map-root-user', '--mount', 'sh', '-c', run],
    ...[temporaryDir(), process.execPath, script],
  ])
}
