import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import type { Result } from './result.ts'

const root = join(import.meta.dirname, '..')
const file = join(import.meta.dirname, 'results.json')

/** The results of one part, with the commit that was measured. */
export interface Measurement {
  commit: string
  date: string
  machine: { node: string; cpu: string | undefined; cores: number }
  results: Result[]
}

/** Returns the last results of each part that was ever measured, by its name. */
export function readResults(): Record<string, Measurement> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}

/** Replaces the results of a part. Throws if files differ from the commit: nobody could measure the same again. */
export function saveResults(part: string, results: readonly Result[]): void {
  if (git('status', '--porcelain', '--', 'packages', 'bench', ':!bench/results.json') !== '') {
    throw new Error('commit the changes first: results name the commit that was measured')
  }
  const machine = { node: process.version, cpu: cpus()[0]?.model.trim(), cores: availableParallelism() }
  const rounded = results.map((result) => ({ ...result, ratio: Math.round(result.ratio * 1000) / 1000 }))
  const date = new Date().toISOString().slice(0, 10)
  const measurement: Measurement = { commit: git('rev-parse', 'HEAD'), date, machine, results: rounded }
  writeFileSync(file, `${JSON.stringify({ ...readResults(), [part]: measurement }, null, 2)}\n`)
}

/** Returns how many commits since a measured one have changed what is measured. */
export function changesSince(commit: string): number {
  return Number(git('rev-list', '--count', `${commit}..HEAD`, '--', ':(glob)packages/*/src/**'))
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}
