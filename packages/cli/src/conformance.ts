import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { asJson, asJunit, asText, checkClient, checkService, type Report, TargetError } from '@saldo/conformance'
import { systemClock, systemRandom } from '@saldo/server'
import { CommandError } from './command-error.ts'

export const reportFormats = { text: asText, json: asJson, junit: asJunit } as const

/** What `saldo conformance` was told. */
export interface ConformanceOptions {
  token?: string
  otherToken?: string
  advanceClock?: string
  client?: string
  only?: string
  bail?: true
  format: keyof typeof reportFormats
}

/** Checks a service or a client against the contract and prints the report. A check that fails is an exit code of 1. */
export async function conform(url: string | undefined, options: ConformanceOptions): Promise<void> {
  const report = await reportOf(url, options).catch((error: unknown) => {
    throw error instanceof TargetError ? new CommandError(error.message) : error
  })
  if (report.results.length === 0) throw new CommandError(`no check is about «${options.only}»`, 2)
  process.stdout.write(reportFormats[options.format](report))
  if (report.results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
}

function reportOf(url: string | undefined, options: ConformanceOptions): Promise<Report> {
  const { client, token, otherToken, advanceClock, only, bail } = options
  if (client !== undefined) {
    if (url !== undefined) throw new CommandError('give either the address of a service or a client', 2)
    return checkClient({ command: client, random: systemRandom, now: () => systemClock.now() }, { only, bail })
  }
  if (url === undefined || token === undefined) {
    throw new CommandError('give the address of a service and a token, or a client', 2)
  }
  const target = {
    url: addressOf(url),
    token,
    otherToken,
    advanceClock: advanceClock === undefined ? undefined : (ms: number) => run(`${advanceClock} ${ms}`),
    random: systemRandom,
  }
  return checkService(target, { only, bail })
}

function addressOf(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) throw new CommandError('the address must begin with http: or https:', 2)
  return url.href.replace(/\/$/, '')
}

async function run(command: string): Promise<void> {
  const [code] = await once(spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] }), 'close')
  if (code !== 0) throw new CommandError(`«${command}» ended with ${code}`)
}
