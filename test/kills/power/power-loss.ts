import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { RecordId, UserNumber } from '@saldo/core'
import { type Person, RealService } from '../../browser/service.ts'
import { type Chance, chanceOf } from '../../simulation/chance.ts'
import { Account } from '../recorded-account.ts'
import { foundIn, putImage, requireDatabase, requireDeviceStore } from './image.ts'
import { type Note, notesOf } from './notes.ts'
import { type Promised, promise } from './promised.ts'
import { UnsyncedDisk } from './unsynced-disk.ts'

/** Number of power losses after which a new recording starts from the last remaining state. */
const LOSSES_PER_RECORDING = 100
/** Duration of a recording, in milliseconds. */
const RECORDED_MS = { service: 10_000, device: 2_000 }
/** Around a sync are so many notes before it and after it. */
const AROUND = 5
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
  /** File operations and messages of the recorded programs. */
  notes: number
  /** Of that, the syncs, by file. */
  syncs: Record<string, number>
  /** Acknowledgements before the last power loss. */
  promised: number
  /** Problems after a power loss. */
  problems: string[]
}

/** A program that promises to keep something. */
interface Subject {
  /** Runs it for a while on the files in a folder, and kills it. */
  run(folder: string, env: Record<string, string>): Promise<void>
  /** It tells something. */
  hear(sent: Buffer): void
  /** Throws unless a folder has everything that was acknowledged. */
  require(folder: string): Promise<void>
  promised(): number
}

/** The service, under load. */
export function losePowerOfService(options: PowerLossOptions): Promise<PowerLossResult> {
  const promised: Promised = { versions: [], users: [] }
  let person: Person | undefined
  let secret: string | undefined
  return losePower(options, (chance) => ({
    async run(folder, env) {
      const settings = {
        SALDO_DATA_DIR: folder,
        SALDO_WRITES_PER_MINUTE: '1000000',
        SALDO_WRITE_MEGABYTES_PER_MINUTE: '1000000',
        SALDO_LOG_LEVEL: 'silent',
      }
      const service = await RealService.open({ ...settings, ...env })
      try {
        // The same user again, by the same token: the acknowledgements of both must hold.
        const account = await Account.open({
          name: chance.uuid(),
          service,
          chance,
          folder,
          pushers: 3,
          devices: 0,
          person,
        })
        person = account.person
        secret ??= secretIn(folder)
        const endMs = Date.now() + RECORDED_MS.service
        await account.work(() => Date.now() > endMs)
      } finally {
        await service.close()
      }
    },
    hear: (sent) => promise(promised, sent),
    async require(folder) {
      await requireDatabase(folder, promised)
      // Without it, all sessions end.
      const isKept = secret === undefined || secretIn(folder) === secret
      if (promised.users.length > 0 && !isKept) throw new Error('lost: the secret that signs cookies')
    },
    promised: () => promised.versions.length + promised.users.length,
  }))
}

function secretIn(folder: string): string | undefined {
  const file = join(folder, 'auth-secret')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** A device with its local store. */
export function losePowerOfDevice(options: PowerLossOptions): Promise<PowerLossResult> {
  const user = 7 as UserNumber
  const ids: RecordId[] = []
  return losePower(options, (chance) => ({
    async run(folder, env) {
      const script = join(import.meta.dirname, 'device-child.ts')
      const args = [script, join(folder, 'client.db'), String(user), String(chance.below(2 ** 31))]
      const stdio = ['ignore', 'pipe', 'inherit'] as const
      const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: [...stdio] })
      if (child.stdout) await once(child.stdout, 'data')
      child.stdout?.resume()
      await setTimeout(RECORDED_MS.device)
      const ended = once(child, 'close')
      child.kill('SIGKILL')
      await ended
    },
    hear: (sent) => void ids.push(sent.toString() as RecordId),
    require: (folder) => requireDeviceStore(join(folder, 'client.db'), user, ids),
    promised: () => ids.length,
  }))
}

/**
 * Records what a program does to its files, and looks at what a power loss at many a moment may leave of them. Then
 * goes on with that, and so on, until there were enough or something was wrong.
 */
async function losePower(
  { losses, seed, lies, tell }: PowerLossOptions,
  subjectBy: (chance: Chance) => Subject,
): Promise<PowerLossResult> {
  const chance = chanceOf(seed)
  const subject = subjectBy(chance)
  const folder = mkdtempSync(join(tmpdir(), 'saldo-power-'))
  const [data, log, image] = [join(folder, 'data'), join(folder, 'log'), join(folder, 'image')]
  const result: PowerLossResult = { losses: 0, recordings: 0, notes: 0, syncs: {}, promised: 0, problems: [] }
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
          if (note.what === 'synced') count(result.syncs, basename(disk.nameOf(note.file)))
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

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1
}

/** Some moments between notes, in order: any, right after an acknowledgement, and around the syncs of each file. */
function momentsIn(notes: readonly Note[], count: number, chance: Chance): number[] {
  const sent: number[] = []
  const syncs = new Map<number, number[]>()
  for (const [index, note] of notes.entries()) {
    if (note.what === 'sent') sent.push(index + 1)
    if (note.what === 'synced') syncs.set(note.file, [...(syncs.get(note.file) ?? []), index])
  }
  const oneOf = (moments: readonly number[]) => moments[chance.below(moments.length)] ?? 0
  const synced = [...syncs.values()]
  const moments = Array.from({ length: count }, (_, number) => {
    if (number % 3 === 0) return chance.below(notes.length + 1)
    if (number % 3 === 1) return oneOf(sent)
    return oneOf(synced[chance.below(synced.length)] ?? []) - AROUND + chance.below(2 * AROUND + 1)
  })
  return moments.map((moment) => Math.min(Math.max(moment, 0), notes.length)).toSorted((a, b) => a - b)
}

/** Compiles the shim into a folder; throws where there is no C compiler. */
function compileShim(folder: string): string {
  const library = join(folder, 'shim.so')
  const source = join(import.meta.dirname, 'shim.c')
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', library, source, '-ldl', '-lpthread'])
  return library
}
