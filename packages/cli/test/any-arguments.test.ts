import { ConfigError, OpenError } from '@saldo/server'
import { CommanderError } from 'commander'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { anyText } from '../../core/test/arbitraries.ts'
import { CommandError } from '../src/command-error.ts'
import { program } from '../src/program.ts'

const words = [
  'log',
  'week',
  'admin',
  'user',
  'add',
  'list',
  'token',
  'revoke',
  'backup',
  'restore',
  'copy-database',
  'distribute',
  'conformance',
  'help',
]
const options = [
  '--name',
  '--password-stdin',
  '--from',
  '--to',
  '--token',
  '--only',
  '--format',
  '--bail',
  '--help',
  '-V',
  '--',
  '-',
]
const odd = [
  '',
  ' ',
  '--__proto__',
  '--constructor=x',
  '--name=',
  '-x',
  '--=',
  '../../etc',
  'a@b',
  '--format=pdf',
  '\ud800',
  '--no-bail',
  '🙂',
]
/** Anything that a system hands to a program; it ends each argument with NUL. */
const word = fc.oneof(
  fc.constantFrom(...words),
  fc.constantFrom(...options),
  fc.constantFrom(...odd),
  anyText(8).filter((text) => !text.includes('\0')),
)

test('wrong arguments of any kind print an error message, never a stack trace', async () => {
  // No database is there, and none is made by what is wrong.
  vi.stubEnv('SALDO_DATA_DIR', '/nonexistent/saldo')
  vi.stubEnv('XDG_CONFIG_HOME', '/nonexistent/config')
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 6 }), async (args) => {
      const saldo = program('test')
      try {
        await saldo.parseAsync(args, { from: 'user' })
      } catch (error) {
        const isTold = [CommanderError, CommandError, ConfigError, OpenError].some((kind) => error instanceof kind)
        if (!isTold) throw error
        expect((error as Error).message).not.toBe('')
      }
    }),
    { numRuns: 300 },
  )
  vi.restoreAllMocks()
})
