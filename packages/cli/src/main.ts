import { ConfigError, ensureTemporal, OpenError, UnavailableError } from '@saldo/server'
import { CommanderError } from 'commander'
import { CommandError } from './command-error.ts'
import { program } from './program.ts'

declare global {
  interface ImportMeta {
    /** Set when the program is bundled. */
    readonly SALDO_BUILD?: string
  }
}

try {
  await ensureTemporal()
  await program(import.meta.SALDO_BUILD ?? 'source').parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Tells what went wrong in one line on stderr, and with which code to exit: 1, or 2 where the command is wrong. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof CommandError) {
    say(error.message)
    return error.exitCode
  }
  if (error instanceof ConfigError) {
    say(error.message)
    return 2
  }
  if (error instanceof OpenError || error instanceof UnavailableError) {
    say(error.message)
    return 1
  }
  throw error
}

function say(message: string): void {
  process.stderr.write(`saldo: ${message}\n`)
}
