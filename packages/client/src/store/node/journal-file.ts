import {
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { crc32 } from 'node:zlib'
import { StoreError } from '../errors.ts'

const HEADER = 'saldo journal 1\n'
const LINE_END = 0x0a

/** How much longer than its first value a journal may become: so many bytes, and so many times its length. */
const SPARE_BYTES = 1024 * 1024
const SPARE_TIMES = 4

/**
 * A file of values, to which a value is added durably and whole, or not at all: a header, a first value with all that
 * was there when the file was written, and a line for each value since, each with its CRC-32.
 */
export class JournalFile<T> {
  readonly #file: string
  #descriptor: number
  #length: number
  #firstLength: number
  #failed: { error: unknown } | undefined

  private constructor(file: string, { descriptor, length, firstLength }: Opened) {
    this.#file = file
    this.#descriptor = descriptor
    this.#length = length
    this.#firstLength = firstLength
  }

  /** Makes the file at one stroke. */
  static create<T>(file: string, first: T): JournalFile<T> {
    const opened = writeBeside(file, first)
    try {
      renameSync(beside(file), file)
      flushFolder(file)
    } catch (error) {
      closeSync(opened.descriptor)
      throw storeErrorOf(error)
    }
    return new JournalFile(file, opened)
  }

  /**
   * Opens a file and reads its values; `undefined` where there is none. A line that a crash cut off is none, and is cut
   * off. Throws a `StoreError` `damaged` where anything else cannot be read.
   */
  static open<T>(file: string): { journal: JournalFile<T>; values: T[] } | undefined {
    const bytes = bytesOf(file)
    if (!bytes) return undefined
    const { values, length, firstLength } = read<T>(file, bytes)
    const descriptor = openSync(file, 'r+')
    if (length < bytes.byteLength) takeBack(descriptor, length)
    return { journal: new JournalFile<T>(file, { descriptor, length, firstLength }), values }
  }

  /** Whether so many lines were added that it is time to replace the file. */
  get isLong(): boolean {
    return this.#length > SPARE_BYTES + SPARE_TIMES * this.#firstLength
  }

  /** Adds a value. Throws a `StoreError`, `full` say, where it was not added. */
  append(value: T): void {
    if (this.#failed) throw new StoreError('failed', { cause: this.#failed.error })
    const line = lineOf(value)
    try {
      writeWhole(this.#descriptor, line, this.#length)
    } catch (error) {
      this.#undo(error)
      throw storeErrorOf(error)
    }
    this.#length += line.byteLength
  }

  /** Writes the file anew with this value alone. Throws a `StoreError` where that fails; then the file stays as it is. */
  replace(value: T): void {
    const opened = writeBeside(this.#file, value)
    try {
      renameSync(beside(this.#file), this.#file)
    } catch (error) {
      closeSync(opened.descriptor)
      throw storeErrorOf(error)
    }
    closeSync(this.#descriptor)
    this.#descriptor = opened.descriptor
    this.#length = opened.length
    this.#firstLength = opened.firstLength
    try {
      flushFolder(this.#file)
    } catch (error) {
      // After a power cut the name could stand for the old file, which has nothing of what would be added now.
      this.#failed = { error }
      throw storeErrorOf(error)
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** Closes and deletes it, durably. Throws a `StoreError` where that fails. */
  remove(): void {
    this.close()
    try {
      rmSync(beside(this.#file), { force: true })
      rmSync(this.#file)
      flushFolder(this.#file)
    } catch (error) {
      throw storeErrorOf(error)
    }
  }

  /** Takes back what was written of a line. Where even that fails, nothing is added any more. */
  #undo(error: unknown): void {
    try {
      takeBack(this.#descriptor, this.#length)
    } catch {
      this.#failed = { error }
    }
  }
}

interface Opened {
  descriptor: number
  /** In bytes. */
  length: number
  /** Up to the end of the first value, in bytes. */
  firstLength: number
}

function beside(file: string): string {
  return `${file}.new`
}

/** Writes a file that is to take the other's name. */
function writeBeside(file: string, first: unknown): Opened {
  const bytes = Buffer.concat([Buffer.from(HEADER), lineOf(first)])
  try {
    const descriptor = openSync(beside(file), 'w+', 0o600)
    try {
      writeWhole(descriptor, bytes, 0)
    } catch (error) {
      closeSync(descriptor)
      rmSync(beside(file))
      throw error
    }
    return { descriptor, length: bytes.byteLength, firstLength: bytes.byteLength }
  } catch (error) {
    throw storeErrorOf(error)
  }
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw storeErrorOf(error)
  }
}

function lineOf(value: unknown): Buffer {
  const json = JSON.stringify(value)
  return Buffer.from(`${checksum(json)} ${json}\n`)
}

function checksum(json: string | Uint8Array): string {
  return crc32(json).toString(16).padStart(8, '0')
}

/** The values of a file, and where the first and the last whole one end. */
function read<T>(file: string, bytes: Buffer): { values: T[]; length: number; firstLength: number } {
  const damaged = (at: number) => new StoreError('damaged', { detail: `${file}, byte ${at}.` })
  if (!bytes.subarray(0, HEADER.length).equals(Buffer.from(HEADER))) throw damaged(0)
  const values: T[] = []
  let firstLength = 0
  let at = HEADER.length
  while (at < bytes.byteLength) {
    const end = bytes.indexOf(LINE_END, at)
    const line = bytes.subarray(at, end === -1 ? bytes.byteLength : end)
    if (end !== -1 && line.toString('latin1', 0, 9) === `${checksum(line.subarray(9))} `) {
      values.push(JSON.parse(line.toString('utf8', 9)) as T)
      at = end + 1
      firstLength ||= at
      continue
    }
    // A crash leaves a last line short, or with zeros where a part of it did not reach the disk.
    const isLast = end === -1 || end === bytes.byteLength - 1
    if (values.length === 0 || !isLast || (end !== -1 && !line.includes(0))) throw damaged(at)
    break
  }
  if (values.length === 0) throw damaged(at)
  return { values, length: at, firstLength }
}

function writeWhole(descriptor: number, bytes: Buffer, position: number): void {
  let count = 0
  while (count < bytes.byteLength) {
    count += writeSync(descriptor, bytes, count, bytes.byteLength - count, position + count)
  }
  fdatasyncSync(descriptor)
}

function takeBack(descriptor: number, length: number): void {
  ftruncateSync(descriptor, length)
  fdatasyncSync(descriptor)
}

/** Makes it durable that a file has its name. */
function flushFolder(file: string): void {
  const descriptor = openSync(dirname(file), 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

function storeErrorOf(error: unknown): StoreError {
  const { code } = error as NodeJS.ErrnoException
  return new StoreError(code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'failed', { cause: error })
}
