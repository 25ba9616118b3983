import type { Chance } from '../../simulation/chance.ts'
import type { Note } from './notes.ts'

/** The unit that a disk writes whole or not at all. */
const SECTOR_BYTES = 512

type Change = { offset: number; bytes: Buffer } | { length: number }

interface File {
  /** The name that it was made with. */
  name: string
  /** Content that is certainly on the disk. */
  durable: Buffer
  /** Writes after the last sync, which may be on the disk. */
  changes: Change[]
}

type NameChange = (names: Map<string, File>) => void

/**
 * A folder on a disk that keeps for certain only what was synced. Of what was written to a file since, a power loss
 * leaves all, nothing, what came first, or any sectors, whatever their order; of names that were made, changed or
 * removed since the folder was synced, what came first. A sync of a file makes its content durable, not its name.
 */
export class UnsyncedDisk {
  readonly #files = new Map<number, File>()
  readonly #durableNames = new Map<string, File>()
  readonly #names = new Map<string, File>()
  readonly #lies: string | undefined
  #nameChanges: NameChange[] = []

  /** Where it `lies`, it does not sync files whose names end so. */
  constructor(lies?: string) {
    this.#lies = lies
  }

  /** A file that was there, and durable, before the first note. */
  found(name: string, file: number, content: Buffer): void {
    const its = { name, durable: content, changes: [] }
    this.#files.set(file, its)
    this.#durableNames.set(name, its)
    this.#names.set(name, its)
  }

  apply(note: Note): void {
    if (note.what === 'made') {
      const file = { name: note.name, durable: Buffer.alloc(0), changes: [] }
      this.#files.set(note.file, file)
      this.#rename((names) => names.set(note.name, file))
    } else if (note.what === 'wrote') {
      this.#files.get(note.file)?.changes.push({ offset: note.offset, bytes: note.bytes })
    } else if (note.what === 'cut') {
      this.#files.get(note.file)?.changes.push({ length: note.length })
    } else if (note.what === 'synced') {
      const file = this.#files.get(note.file)
      const isTrue = this.#lies === undefined || !file?.name.endsWith(this.#lies)
      if (file && isTrue) [file.durable, file.changes] = [changed(file.durable, file.changes), []]
    } else if (note.what === 'renamed' || note.what === 'linked') {
      const file = this.#names.get(note.from)
      if (!file) return
      this.#rename((names) => {
        if (note.what === 'renamed') names.delete(note.from)
        names.set(note.to, file)
      })
    } else if (note.what === 'removed') {
      this.#rename((names) => names.delete(note.name))
    } else if (note.what === 'folder synced') {
      for (const change of this.#nameChanges.splice(0)) change(this.#durableNames)
    }
  }

  /** The name that a file was made with. */
  nameOf(file: number): string {
    return this.#files.get(file)?.name ?? ''
  }

  /** Returns the files that a power loss may leave now, by name. */
  afterPowerLoss(chance: Chance): Map<string, Buffer> {
    const names = new Map(this.#durableNames)
    for (const change of this.#nameChanges.slice(0, chance.below(this.#nameChanges.length + 1))) change(names)
    return new Map(
      [...names].map(([name, { durable, changes }]) => [name, changed(durable, surviving(changes, chance))]),
    )
  }

  #rename(change: NameChange): void {
    change(this.#names)
    this.#nameChanges.push(change)
  }
}

/** Of changes that were not synced, those that reached the disk. */
function surviving(changes: readonly Change[], chance: Chance): Change[] {
  switch (chance.below(4)) {
    case 0:
      return []
    case 1:
      return [...changes]
    case 2: {
      const begun = changes.slice(0, chance.below(changes.length + 1))
      const last = begun.pop()
      if (!last) return []
      if (!('bytes' in last)) return [...begun, last]
      return [...begun, { ...last, bytes: last.bytes.subarray(0, chance.below(last.bytes.length + 1)) }]
    }
    default: {
      const portion = chance.fraction()
      return changes.flatMap(sectorsOf).filter(() => chance.fraction() < portion)
    }
  }
}

function sectorsOf(change: Change): Change[] {
  if (!('bytes' in change)) return [change]
  const sectors: Change[] = []
  const { offset, bytes } = change
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + SECTOR_BYTES - ((offset + at) % SECTOR_BYTES))
    sectors.push({ offset: offset + at, bytes: bytes.subarray(at, end) })
    at = end
  }
  return sectors
}

/** Content after changes; unwritten bytes are zero. */
function changed(content: Buffer, changes: readonly Change[]): Buffer {
  if (changes.length === 0) return content
  const ends = changes.map((change) => ('bytes' in change ? change.offset + change.bytes.length : change.length))
  const whole = Buffer.alloc(Math.max(content.length, ...ends))
  content.copy(whole)
  let { length } = content
  for (const change of changes) {
    if ('bytes' in change) {
      change.bytes.copy(whole, change.offset)
      if (change.bytes.length > 0) length = Math.max(length, change.offset + change.bytes.length)
    } else {
      whole.fill(0, change.length, length)
      length = change.length
    }
  }
  return whole.subarray(0, length)
}
