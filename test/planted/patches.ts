import { spawn } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'

const root = join(import.meta.dirname, '../..')

/** A fault that is planted in the program: a line that is changed. */
export interface Patch {
  name: string
  /** The rule of the protocol that it breaks, where its first line names one. */
  rule: string | undefined
  /** The behaviour with the patch. */
  what: string
  /** The test that finds it, where the simulation cannot. */
  property: string | undefined
  /** Options of the simulation: database and amounts. */
  options: readonly string[]
  /** The file that is changed. */
  file: string
  /** The original text and its replacement. */
  before: string
  after: string
}

/** The check that found a patch. */
export interface Find {
  /** Which of the simulation's checks, or which test, said so. */
  check: string
  /** Number of seeds that it took; 1 for a property without seeds. */
  seeds: number
}

/** All patches, by name: the files in `patches/`, each with one hunk and a line ahead that tells what it does. */
export function patches(): Patch[] {
  const files = globSync('test/planted/patches/*.patch', { cwd: root }).toSorted()
  return files.map((file) => {
    const [head = '', hunk = ''] = readFileSync(join(root, file), 'utf8').split(/^@@.*@@.*\n/m)
    const [what = ''] = head.split('\n')
    const lines = hunk.split('\n').slice(0, -1)
    const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => `${line.slice(1)}\n`)
    return {
      name: basename(file, '.patch'),
      rule: /^\[(\S+)\]/.exec(what)?.[1],
      what,
      property: /^Found by (\S+)/m.exec(head)?.[1],
      options: /^Hunted with (.+)$/m.exec(head)?.[1]?.split(' ') ?? [],
      file: /^\+\+\+ b\/(.+)$/m.exec(head)?.[1] as string,
      before: without('+').join(''),
      after: without('-').join(''),
    }
  })
}

/** Number of matches of the patch in the program: once, or it no longer applies. */
export function placesOf({ file, before }: Patch): number {
  return readFileSync(join(root, file), 'utf8').split(before).length - 1
}

/** A copy of the program, to apply patches to. */
export class ProgramCopy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'saldo-planted-'))

  constructor() {
    for (const name of ['package.json', 'tsconfig.base.json', 'vitest.config.ts', 'fixtures', 'test']) this.#copy(name)
    // Packages of the program are those of the copy; all others are only linked.
    this.#link('node_modules', '@saldo', '.cache')
    for (const name of readdirSync(join(root, 'packages'))) {
      this.#copy(`packages/${name}`)
      this.#link(`packages/${name}/node_modules`)
    }
    mkdirSync(join(this.#folder, 'node_modules/@saldo'))
    for (const name of readdirSync(join(root, 'packages'))) {
      symlinkSync(join('../../packages', name), join(this.#folder, 'node_modules/@saldo', name))
    }
  }

  /** Applies a patch, and hunts its fault with so many seeds. Resolves to `undefined` if it is not found. */
  async hunt(patch: Patch, seeds: number): Promise<Find | undefined> {
    const file = join(this.#folder, patch.file)
    const sane = readFileSync(file, 'utf8')
    if (placesOf(patch) !== 1) throw new Error(`${patch.name} does not apply`)
    writeFileSync(
      file,
      sane.replace(patch.before, () => patch.after),
    )
    try {
      return await (patch.property === undefined ? this.#simulate(seeds, patch.options) : this.#test(patch.property))
    } finally {
      writeFileSync(file, sane)
    }
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true })
  }

  #copy(name: string): void {
    const isSource = (path: string) => !/\/(node_modules|dist|screenshots)$/.test(path)
    cpSync(join(root, name), join(this.#folder, name), { recursive: true, filter: isSource })
  }

  #link(modules: string, ...except: readonly string[]): void {
    if (!existsSync(join(root, modules))) return
    mkdirSync(join(this.#folder, modules), { recursive: true })
    for (const name of readdirSync(join(root, modules)).filter((name) => !except.includes(name))) {
      symlinkSync(join(root, modules, name), join(this.#folder, modules, name))
    }
  }

  async #simulate(seeds: number, options: readonly string[]): Promise<Find | undefined> {
    const out = await this.#run(['test/simulation/hunt.ts', '--seeds', String(seeds), ...options])
    const found = JSON.parse(out.trim().split('\n').at(-1) as string) as { seeds: number; message: string } | null
    return found ? { check: found.message, seeds: found.seeds } : undefined
  }

  async #test(file: string): Promise<Find | undefined> {
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const report = join(this.#folder, 'report.json')
    const project = /[/.]postgres[/.]/.test(file) ? 'postgres' : '!postgres'
    await this.#run([
      vitest,
      'run',
      '--project',
      project,
      '--bail',
      '1',
      '--reporter',
      'json',
      '--outputFile',
      report,
      file,
    ])
    const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as TestReport
    const tests = testResults.flatMap(({ assertionResults }) => assertionResults)
    if (tests.length === 0) throw new Error(`${file} does not run: ${testResults[0]?.message}`)
    const failed = tests.find(({ status }) => status === 'failed')
    if (!failed) return undefined
    const [message = ''] = failed.failureMessages
    return { check: failed.title, seeds: Number(/failed after (\d+) tests/.exec(message)?.[1] ?? 1) }
  }

  /** Returns the output of a program that runs in the copy. */
  async #run(args: readonly string[]): Promise<string> {
    const child = spawn(process.execPath, args, { cwd: this.#folder, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, trouble] = await Promise.all([text(child.stdout), text(child.stderr)])
    if (out.trim() === '') throw new Error(trouble)
    return out
  }
}

interface TestReport {
  testResults: { message: string; assertionResults: { title: string; status: string; failureMessages: string[] }[] }[]
}
