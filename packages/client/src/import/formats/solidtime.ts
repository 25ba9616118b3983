import { fieldOf } from '@saldo/core'
import { strFromU8, Unzip, UnzipInflate } from 'fflate'
import type { ReadBudget } from '../budget.ts'
import { readCsv } from '../csv.ts'
import { type FileRow, newRow, UnreadableFileError } from '../file.ts'
import { readDateTime } from '../values.ts'

/**
 * Reads the export of an organisation: a ZIP of tables as CSV, which name each other's rows by id. Throws
 * `UnreadableFileError`.
 */
export function readSolidtimeZip(bytes: Uint8Array, budget: ReadBudget): FileRow[] {
  const wanted = ['time_entries', 'projects', 'clients', 'tasks', 'tags', 'members']
  const files = unzip(bytes, new Set(wanted.map((table) => `${table}.csv`)), budget)
  if (!files.has('time_entries.csv')) {
    throw new UnreadableFileError('unknown_format', 'the ZIP has no time_entries.csv, which exports of solidtime have')
  }
  const table = (name: string) => rowsOf(files.get(`${name}.csv`), budget)
  const namesIn = (name: string) => new Map(table(name).map(({ values }) => [values.id, values.name ?? '']))
  const [projects, clients, tasks, tags] = [namesIn('projects'), namesIn('clients'), namesIn('tasks'), namesIn('tags')]
  const members = new Map(table('members').map(({ values }) => [values.user_id, values.name || values.email || '']))
  const entries = table('time_entries')
  budget.spend('rows', entries.length)
  return entries.map(({ row, values }) => {
    const start = readDateTime(values.start ?? '')
    const end = readDateTime(values.end ?? '')
    const task = tasks.get(values.task_id) ?? ''
    const names = {
      project: projects.get(values.project_id) ?? '',
      client: clients.get(values.client_id) ?? '',
      tags: tagIds(values.tags ?? '').map((id) => tags.get(id) ?? id),
      user: members.get(values.user_id) || values.user_id || '',
    }
    // Rows share names, which are worked on for each of them.
    const { project, client, user } = names
    budget.spend(
      'textCharacters',
      [task, project, client, user, ...names.tags].reduce((sum, { length }) => sum + length, 0),
    )
    const read: FileRow = {
      ...newRow(row),
      ...names,
      kind: values.type === 'break' ? 'break' : 'work',
      note: [task, values.description ?? ''].filter(Boolean).join(': '),
      ...(values.id && { ref: values.id }),
    }
    if (!start) return { ...read, skip: 'invalid_time' as const }
    return { ...read, start, ...(end && { end }) }
  })
}

/** True if the bytes are those of a ZIP. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04
}

/** A piece of a ZIP, which inflates to a thousand times as much at most. */
const PIECE_BYTES = 8 * 1024

/** Returns wanted files of a ZIP by name. Their bytes count while they are unpacked, whatever size the ZIP claims. */
function unzip(bytes: Uint8Array, wanted: ReadonlySet<string>, budget: ReadBudget): Map<string, Uint8Array> {
  if (!isWhole(bytes)) throw new UnreadableFileError('unknown_format', 'the ZIP cannot be read: its end is missing')
  const pieces = new Map<string, Uint8Array[]>()
  const unpacker = new Unzip((file) => {
    budget.spend('zipFiles')
    if (!wanted.has(file.name)) return
    if (pieces.has(file.name)) throw new UnreadableFileError('unknown_format', `the ZIP has ${file.name} twice`)
    const ofFile: Uint8Array[] = []
    pieces.set(file.name, ofFile)
    file.ondata = (error, piece) => {
      if (error) throw error
      budget.spend('unpackedBytes', piece.length)
      ofFile.push(piece)
    }
    file.start()
  })
  unpacker.register(UnzipInflate)
  try {
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      unpacker.push(bytes.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= bytes.length)
    }
  } catch (error) {
    if (error instanceof UnreadableFileError) throw error
    throw new UnreadableFileError('unknown_format', `the ZIP cannot be read: ${String(fieldOf(error, 'message'))}`)
  }
  return new Map([...pieces].map(([name, ofFile]) => [name, joined(ofFile)]))
}

/** The record at the end of a ZIP, before a comment of at most 64 KiB. */
const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535

function isWhole(bytes: Uint8Array): boolean {
  const first = Math.max(0, bytes.length - END_BYTES - MAX_COMMENT_BYTES)
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1) {
    if (bytes[at] === 0x50 && bytes[at + 1] === 0x4b && bytes[at + 2] === 0x05 && bytes[at + 3] === 0x06) return true
  }
  return false
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

function rowsOf(
  bytes: Uint8Array | undefined,
  budget: ReadBudget,
): { row: number; values: Record<string, string | undefined> }[] {
  if (!bytes) return []
  const { header, rows } = readCsv(strFromU8(bytes), budget)
  return rows.map(({ row, cells }) => ({
    row,
    values: Object.fromEntries(header.map((name, place) => [name, cells[place]])),
  }))
}

function tagIds(text: string): string[] {
  if (!text.startsWith('[')) return []
  try {
    const ids: unknown = JSON.parse(text)
    return Array.isArray(ids) ? ids.map(String) : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
