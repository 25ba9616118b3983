import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { Program, temporaryDir } from './program.ts'

/** A disk so small that it can be filled. */
export interface SmallDisk {
  /** Where programs that run `through` it find it. */
  dir: string
  /** Where this process finds it. */
  inside: string
  /** The command through which a program sees the disk. */
  through: readonly string[]
  /** Writes a file of so many bytes, or one that leaves not a byte free. */
  fill(upTo?: number): void
  /** Removes that file. */
  free(): void
}

/** A tmpfs in a mount namespace of its own: it needs no rights, and goes with the process that holds it. */
export async function smallDisk(size: string): Promise<SmallDisk> {
  const dir = temporaryDir()
  const mount = `mount -t tmpfs -o size=${size} saldo-test "$0"`
  const hold = `${mount} && echo mounted && exec tail --pid=${process.pid} -f /dev/null`
  const holder = new Program(['unshare', '--map-root-user', '--mount', 'sh', '-c', hold, dir])
  await holder.wrote('stdout', /^mounted\n/)
  const inside = join(`/proc/${holder.pid}/root`, dir)
  const ballast = join(inside, 'ballast')
  return {
    dir,
    inside,
    through: ['nsenter', `--target=${holder.pid}`, '--user', '--mount', '--preserve-credentials'],
    fill(upTo = Number.POSITIVE_INFINITY) {
      const file = openSync(ballast, 'a')
      let written = 0
      for (const bytes of [65_536, 4_096, 1]) while (written < upTo && wrote(file, bytes)) written += bytes
      closeSync(file)
    },
    free: () => rmSync(ballast),
  }
}

function wrote(file: number, bytes: number): boolean {
  try {
    return writeSync(file, Buffer.alloc(bytes)) > 0
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return false
    throw error
  }
}
