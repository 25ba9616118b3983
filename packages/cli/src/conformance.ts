import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { systemRandom } from '@saldo/client'
import { asJson, asJunit, asText, type CheckReport, checkClient, checkService, TargetError } from '@saldo/conformance'
import { isJsonObject } from '@saldo/core'
import { CommandError } from './command-error.ts'
import { addressOf } from './input.ts'
import type { ReportFormat } from './option-values.ts'
import { nowMs } from './system.ts'

/** Options of `saldo conformance`. */
export interface ConformanceOptions {
  token?: string
  otherToken?: string
  team?: string
  advanceClock?: string
  client?: string
  only?: string
  bail?: true
  format: ReportFormat
}

/** Checks a service or a client against the contract and prints the report. A check that fails is an exit code of 1. */
export async function conform(url: string | undefined, options: ConformanceOptions): Promise<void> {
  // A second signal ends the process at once.
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const report = await reportOf(url, options, interruption.signal).catch((error: unknown) => {
    throw error instanceof TargetError ? new CommandError(error.message) : error
  })
  if (report.results.length === 0) throw new CommandError(`no check is about «${options.only}»`, 2)
  const written = { text: asText, json: asJson, junit: asJunit }[options.format]
  process.stdout.write(written(report))
  const isComplete = !interruption.signal.aborted
  if (!isComplete || report.results.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
}

async function reportOf(
  url: string | undefined,
  options: ConformanceOptions,
  signal: AbortSignal,
): Promise<CheckReport> {
  const { client, token, otherToken, team, advanceClock, only, bail } = options
  if (client !== undefined) {
    if (url !== undefined) throw new CommandError('give either the address of a service or a client', 2)
    return checkClient({ command: client, random: systemRandom, now: nowMs }, { only, bail, signal })
  }
  if (url === undefined || token === undefined) {
    throw new CommandError('give the address of a service and a token, or a client', 2)
  }
  const target = {
    url: addressOf(url),
    token,
    otherToken,
    team: team === undefined ? undefined : await teamIn(team),
    advanceClock: advanceClock === undefined ? undefined : (ms: number) => run(`${advanceClock} ${ms}`),
    random: systemRandom,
  }
  return checkService(target, { only, bail, signal })
}

const team = ['member', 'colleague', 'lead', 'stranger'] as const

/** Reads the sessions of a company from a JSON file: the `Cookie` header of each user. */
async function teamIn(file: string): Promise<Record<(typeof team)[number], string>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const sessions = parsedJson(text)
  if (!isJsonObject(sessions) || !team.every((name) => typeof sessions[name] === 'string')) {
    throw new CommandError(`${file} has no JSON with the cookies of ${team.join(', ')}`, 2)
  }
  return sessions as Record<(typeof team)[number], string>
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function run(command: string): Promise<void> {
  const shell = spawn(command, { shell: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = (await once(shell, 'close')) as [number | null]
  if (code !== 0) throw new CommandError(`«${command}» ended with ${code}`)
}
