import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Person, RealService } from '../../browser/service.ts'
import { type Chance, chanceOf } from '../../simulation/chance.ts'
import { Account } from '../account.ts'
import { foundIn, putImage, requireDatabase, requireJournal } from './image.ts'
import { type Note, notesOf } from './notes.ts'
import { type Promised, promise } from './told.ts'
import { UnsyncedDisk } from './unsynced-disk.ts'

/** After how many power losses a recording begins anew, on what the last of them left. */
const LOSSES_PER_RECORDING = 50
/** How long a recording takes, in milliseconds. */
const RECORDED_MS = { service: 4_000, journal: 1_000 }
/** After so many problems no more are looked for. */
const MOST_PROBLEMS = 10

export interface PowerLossOptions {
  losses: number
  seed: number
  /** The disk says that it has synced files whose names end so, and has not: then something must be found. */
  lies?: string | undefined
  tell?: (line: string) => void
}

export interface PowerLossResult {
  losses: number
  recordings: number
  /** What the recorded programs did to their files, and of that syncs. */
  notes: number
  syncs: number
  /** What had been promised by the last loss. */
  promised: number
  /** What was wrong after a loss. */
  problems: string[]
}

/** A program that promises to keep something. */
interface Subject {
  /** Runs it for a while on the files in a folder, and kills it. */
  run(folder: string, env: Record<string, string>): Promise<void>
  /** It tells something. */
  hear(sent: Buffer): void
  /** Throws unless all that it has told is in a folder. */
  require(folder: string): Promise<void>
  promised(): number
}

/** The service, under load. */
export function losePowerOfService(options: PowerLossOptions): Promise<PowerLossResult> {
  const promised: Promised = { versions: [], users: [] }
  let person: Person | undefined
  return losePower(options, (chance) => ({
    async run(folder, env) {
      const settings = { SALDO_DATA_DIR: folder, SALDO_WRITES_PER_MINUTE: '1000000', SALDO_LOG_LEVEL: 'silent' }
      const service = await RealService.open({ ...settings, ...env })
      try {
        // The same user again, by the same token: what was told of both must hold.
        const account = await Account.open({ name: chance.uuid(), service, chance, folder, pushers: 3, devices: 0, person })
        person = account.person
        const endMs = Date.now() + RECORDED_MS.service
        await account.work(() => Date.now() > endMs)
      } finally {
        await service.close()
      }
    },
    hear: (sent) => promise(promised, sent),
    require: (folder) => requireDatabase(folder, promised),
    promised: () => promised.versions.length + promised.users.length,
  }))
}

/** A device, with its journal. */
export function losePowerOfJournal(options: PowerLossOptions): Promise<PowerLossResult> {
  const user = 7
  const ids: string[] = []
  return losePower(options, (chance) => ({
    async run(folder, env) {
      const script = join(import.meta.dirname, 'journal-child.ts')
      const args = [script, join(folder, 'journal'), String(user), String(chance.below(2 ** 31))]
      const stdio = ['ignore', 'pipe', 'inherit'] as const
      const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: [...stdio] })
      if (child.stdout) await once(child.stdout, 'data')
      child.stdout?.resume()
      await setTimeout(RECORDED_MS.journal)
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    },
    hear: (sent) => void ids.push(sent.toString()),
    require: (folder) => requireJournal(join(folder, 'journal'), user, ids),
    promised: () => ids.length,
  }))
}

/**
 * Records what a program does to its files, and looks at what a power loss at many a moment may leave of them. Then goes on
 * with that, and so on, until there were enough or something was wrong.
 */
async function losePower(
  { losses, seed, lies, tell }: PowerLossOptions,
  subjectBy: (chance: Chance) => Subject,
): Promise<PowerLossResult> {
  const chance = chanceOf(seed)
  const subject = subjectBy(chance)
  const folder = mkdtempSync(join(tmpdir(), 'saldo-power-'))
  const [data, log, image] = [join(folder, 'data'), join(folder, 'log'), join(folder, 'image')]
  const result = { losses: 0, recordings: 0, notes: 0, syncs: 0, promised: 0, problems: [] as string[] }
  try {
    const library = compileShim(folder)
    mkdirSync(data, { mode: 0o700 })
    while (result.losses < losses && result.problems.length === 0) {
      const disk = new UnsyncedDisk(lies)
      foundIn(data, disk)
      await subject.run(data, { LD_PRELOAD: library, SHIM_FOLDER: data, SHIM_LOG: log })
      const notes = [...notesOf(readFileSync(log))]
      const moments = momentsIn(notes, Math.min(LOSSES_PER_RECORDING, losses - result.losses), chance)
      let at = 0
      let left: ReadonlyMap<string, Buffer> = new Map()
      for (const moment of moments) {
        for (; at < moment; at += 1) {
          const note = notes[at] as Note
          disk.apply(note)
          if (note.what === 'sent') subject.hear(note.bytes)
          if (note.what === 'synced') result.syncs += 1
        }
        left = disk.afterPowerLoss(chance)
        putImage(image, left)
        await subject.require(image).catch((error: unknown) => result.problems.push(String(error)))
        result.losses += 1
        if (result.problems.length >= MOST_PROBLEMS) break
      }
      result.notes += at
      result.recordings += 1
      result.promised = subject.promised()
      putImage(data, left)
      rmSync(log)
      tell?.(`${result.losses} losses, ${result.promised} promises, ${result.problems.length} problems`)
    }
    return result
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Some moments between notes, in order: by half right after something was told. */
function momentsIn(notes: readonly Note[], count: number, chance: Chance): number[] {
  const told = notes.flatMap(({ what }, index) => (what === 'sent' ? [index + 1] : []))
  const moments = Array.from({ length: count }, (_, number) =>
    number % 2 === 0 ? chance.below(notes.length + 1) : (told[chance.below(told.length)] ?? 0),
  )
  return moments.toSorted((a, b) => a - b)
}

/** Compiles the shim into a folder; throws where there is no C compiler. */
function compileShim(folder: string): string {
  const library = join(folder, 'shim.so')
  const source = join(import.meta.dirname, 'shim.c')
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread'])
  return library
}
