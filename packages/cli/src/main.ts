import { ConfigError, OpenError, UnavailableError } from '@saldo/server/errors'
import { CommanderError } from 'commander'
import { CommandError } from './command-error.ts'
import { printNotice } from './output.ts'
import { run } from './program.ts'
import { ensureTemporal } from './system.ts'

declare global {
  interface ImportMeta {
    /** Set when the program is bundled. */
    readonly SALDO_BUILD?: string
  }
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader may have closed the pipe, as `head` does.
  if (error.code !== 'EPIPE') process.exitCode = say(`the output cannot be written: ${error.message}`, 1)
})

// Without an await at the top level: a file that a command loads imports this one, and would wait for its end.
void main()

async function main(): Promise<void> {
  try {
    await ensureTemporal()
    await run(process.argv.slice(2), import.meta.SALDO_BUILD ?? 'source')
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** Prints the error in one line on stderr. Returns the exit code: 2 if the command is wrong, else 1. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : say(wrongUse(error), 2)
  if (error instanceof CommandError) return say(error.message, error.exitCode)
  if (error instanceof ConfigError) return say(error.message, 2)
  if (error instanceof OpenError || error instanceof UnavailableError) return say(error.message, 1)
  throw error
}

function wrongUse({ code, message }: CommanderError): string {
  if (code === 'commander.help') return 'a command is missing: --help lists them'
  return message.replace(/^error: /, '').replaceAll('\n', ' ')
}

/** Prints a message without the passwords in its URLs. */
function say(message: string, exitCode: number): number {
  printNotice(message.split(' ').map(withoutPassword).join(' '))
  return exitCode
}

function withoutPassword(word: string): string {
  const [begin, end] = [word.indexOf(':', word.indexOf('://') + 3), word.lastIndexOf('@')]
  const hasPassword = word.includes('://') && begin !== -1 && begin < end
  return hasPassword ? `${word.slice(0, begin + 1)}…${word.slice(end)}` : word
}
