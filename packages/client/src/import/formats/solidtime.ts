import { strFromU8, unzipSync } from 'fflate'
import { readCsv } from '../csv.ts'
import { type FileRow, newRow, UnreadableFileError } from '../file.ts'
import { readDateTime } from '../values.ts'

/** Reads the export of an organisation: a ZIP of tables as CSV, which name each other's rows by id. */
export function readSolidtimeZip(bytes: Uint8Array): FileRow[] {
  const wanted = ['time_entries', 'projects', 'clients', 'tasks', 'tags', 'members']
  const files = unzip(bytes, (name) => wanted.some((table) => name === `${table}.csv`))
  if (!files['time_entries.csv']) {
    throw new UnreadableFileError('unknown_format', 'the ZIP has no time_entries.csv, which exports of solidtime have')
  }
  const table = (name: string) => rowsOf(files[`${name}.csv`])
  const namesIn = (name: string) => new Map(table(name).map(({ values }) => [values.id, values.name ?? '']))
  const [projects, clients, tasks, tags] = [namesIn('projects'), namesIn('clients'), namesIn('tasks'), namesIn('tags')]
  const members = new Map(table('members').map(({ values }) => [values.user_id, values.name || values.email || '']))
  return table('time_entries').map(({ row, values }) => {
    const start = readDateTime(values.start ?? '')
    const end = readDateTime(values.end ?? '')
    const task = tasks.get(values.task_id) ?? ''
    const read: FileRow = {
      ...newRow(row),
      kind: values.type === 'break' ? 'break' : 'work',
      project: projects.get(values.project_id) ?? '',
      client: clients.get(values.client_id) ?? '',
      note: [task, values.description ?? ''].filter(Boolean).join(': '),
      tags: tagIds(values.tags ?? '').map((id) => tags.get(id) ?? id),
      user: members.get(values.user_id) || values.user_id || '',
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

/** The tables are text; a ZIP that unpacks to more is hostile or something else. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024

function unzip(bytes: Uint8Array, isWanted: (name: string) => boolean): Record<string, Uint8Array> {
  let unpacked = 0
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isWanted(name)) return false
        unpacked += originalSize
        return unpacked <= MAX_UNPACKED_BYTES
      },
    })
  } catch (error) {
    throw new UnreadableFileError('unknown_format', `the ZIP cannot be read: ${(error as Error).message}`)
  }
}

function rowsOf(bytes: Uint8Array | undefined): { row: number; values: Record<string, string | undefined> }[] {
  if (!bytes) return []
  const { header, rows } = readCsv(strFromU8(bytes))
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
