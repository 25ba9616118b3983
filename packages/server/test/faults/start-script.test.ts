import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { caller } from './full-time.ts'
import { Program, root, temporaryDir, whenServing } from './program.ts'

const script = join(root, 'scripts/start.mjs')

/** `npm start` without npm, in this repository, where everything is installed and built. */
function start(settings: Record<string, string>): Program {
  const program = new Program([process.execPath, script], { env: settings })
  // The service ends with the script only where the script is asked to.
  onTestFinished(async () => void (await program.kill('SIGTERM')))
  return program
}

test('npm start prints the line, serves, rebuilds only if necessary, and passes on SIGTERM and SIGINT', async () => {
  const env = { SALDO_DATA_DIR: temporaryDir(), SALDO_PORT: '0', SALDO_LOG_LEVEL: 'silent' }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    const program = start(env)
    const { url } = await whenServing(program)
    expect((await caller(url)('GET', '/api/health')).body).toEqual({ status: 'ok' })
    expect(await program.kill(signal)).toEqual({ code: 0, signal: null })
    expect(program.stdout).toMatch(/^Saldo is at \S+\n$/)
    expect(program.stderr).toBe('')
    await expect(fetch(url)).rejects.toThrow(TypeError)
  }
})

test('npm start ends as the service ends', async () => {
  const wrong = start({ SALDO_PORT: 'seven' })
  expect(await wrong.exited).toEqual({ code: 2, signal: null })
  expect(wrong.stderr).toBe('saldo: SALDO_PORT must be a whole number from 0 to 65535\n')
})

test('npm start stops the service when a signal ends the shell in which npm runs it', async () => {
  const env = { SALDO_DATA_DIR: temporaryDir(), SALDO_PORT: '0', npm_lifecycle_event: 'start' }
  const shell = new Program(['sh', '-c', '"$0" "$1"; exit $?', process.execPath, script], { env })
  const { url } = await whenServing(shell)
  // Its streams are closed only once the service is gone too.
  expect(await shell.kill('SIGTERM')).toEqual({ code: null, signal: 'SIGTERM' })
  await expect(fetch(url)).rejects.toThrow(TypeError)
})
