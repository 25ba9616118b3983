import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { CommanderError } from 'commander'
import { onTestFinished, vi } from 'vitest'
import { CommandError } from '../src/command-error.ts'
import { program } from '../src/program.ts'
import { type StoredSignIn, writeSignIn } from '../src/user/sign-in-file.ts'

/** The end of a command: its exit code, and what it printed. */
export interface Ended {
  code: number
  stdout: string
  stderr: string
}

/** Commands as this process runs them. */
export interface Commands {
  run(...args: string[]): Promise<Ended>
  /** Runs a command with `--json`. Returns what it printed, and throws if it fails. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into output that they describe
  json(...args: string[]): Promise<any>
  /** The same commands, with a text on standard input. */
  given(input: string): Commands
  /** The same commands at a terminal, where somebody types lines. */
  typing(...lines: string[]): Commands
}

/**
 * Runs commands in this process, where they take no time to start, so that a test can try every option. A file that
 * uses it runs in a process of its own.
 */
export function commandsIn(env: Record<string, string>, input: string | string[] = '', isTTY = false): Commands {
  const run: Commands['run'] = async (...args) => {
    const printed = { stdout: '', stderr: '' }
    const writes = (['stdout', 'stderr'] as const).map((stream) =>
      vi.spyOn(process[stream], 'write').mockImplementation((text) => {
        printed[stream] += typeof text === 'string' ? text : new TextDecoder().decode(text)
        return true
      }),
    )
    const typed = Object.assign(Readable.from([input].flat()), { isTTY }) as typeof process.stdin
    const stdin = vi.spyOn(process, 'stdin', 'get').mockReturnValue(typed)
    const { isTTY: isErrorTTY } = process.stderr
    if (isTTY) process.stderr.isTTY = true
    // Settings of the test run, such as its tier, are not settings of the command.
    for (const name of Object.keys(process.env)) if (name.startsWith('SALDO_')) vi.stubEnv(name, undefined)
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    try {
      await program('test').parseAsync(args, { from: 'user' })
      return { code: 0, ...printed }
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof CommanderError)) throw error
      const code = error instanceof CommandError ? error.exitCode : 2
      return { code, ...printed, stderr: `${printed.stderr}saldo: ${error.message}\n` }
    } finally {
      for (const spy of [...writes, stdin]) spy.mockRestore()
      process.stderr.isTTY = isErrorTTY
      vi.unstubAllEnvs()
    }
  }
  return {
    run,
    json: async (...args) => {
      const { code, stdout, stderr } = await run(...args, '--json')
      if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`)
      return JSON.parse(stdout)
    },
    given: (text) => commandsIn(env, text),
    typing: (...lines) =>
      commandsIn(
        env,
        lines.map((line) => `${line}\n`),
        true,
      ),
  }
}

/** Returns a folder that goes when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'saldo-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Returns settings that give commands folders of their own. */
export function ownFolders(): Record<'XDG_CONFIG_HOME' | 'XDG_DATA_HOME' | 'NO_COLOR', string> {
  const home = temporaryFolder()
  return { XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), NO_COLOR: '1' }
}

/** Signs an account in, with folders of its own, and runs its commands. */
export function commandsOf(account: StoredSignIn): Commands {
  const env = ownFolders()
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  writeSignIn(account)
  vi.unstubAllEnvs()
  return commandsIn(env)
}

/** The same commands without requests: others wait a second for the service, which may not be enough under load. */
export function offline({ run, json, given, typing }: Commands): Commands {
  return {
    run: (...args) => run(...args, '--offline'),
    json: (...args) => json(...args, '--offline'),
    given: (input) => offline(given(input)),
    typing: (...lines) => offline(typing(...lines)),
  }
}

export const done = (...lines: string[]): Ended => ({
  code: 0,
  stdout: lines.map((line) => `${line}\n`).join(''),
  stderr: '',
})

export const failed = (line: string, code = 2): Ended => ({ code, stdout: '', stderr: `saldo: ${line}\n` })

/** Makes a stream of this process a terminal until the test ends. */
export function atTerminal(stream: 'stdout' | 'stderr'): void {
  const { isTTY } = process[stream]
  process[stream].isTTY = true
  onTestFinished(() => {
    process[stream].isTTY = isTTY
  })
}
