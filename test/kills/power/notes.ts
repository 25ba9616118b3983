/** File operations and messages of a process, as `shim.c` notes them. Files have numbers. */
export type Note =
  | { what: 'made'; file: number; name: string }
  | { what: 'wrote'; file: number; offset: number; bytes: Buffer }
  | { what: 'cut'; file: number; length: number }
  | { what: 'synced'; file: number }
  | { what: 'renamed' | 'linked'; from: string; to: string }
  | { what: 'removed'; name: string }
  | { what: 'folder synced' }
  | { what: 'sent'; bytes: Buffer }

const HEAD_BYTES = 40

/** Reads the notes of a log; the last one may be cut off, where the process was killed. */
export function* notesOf(log: Buffer): Generator<Note> {
  for (let at = 0; at + HEAD_BYTES <= log.length; ) {
    const [kind, file, offset, length, moreLength] = [0, 8, 16, 24, 32].map((by) =>
      Number(log.readBigUInt64LE(at + by)),
    ) as [number, number, number, number, number]
    const begin = at + HEAD_BYTES
    at = begin + length + moreLength
    if (at > log.length) return
    const bytes = log.subarray(begin, begin + length)
    const [name, to] = [bytes.toString(), log.subarray(begin + length, at).toString()]
    const notes: Record<number, Note> = {
      1: { what: 'made', file, name },
      2: { what: 'wrote', file, offset, bytes },
      3: { what: 'cut', file, length: offset },
      4: { what: 'synced', file },
      5: { what: 'renamed', from: name, to },
      6: { what: 'removed', name },
      7: { what: 'linked', from: name, to },
      8: { what: 'sent', bytes },
      9: { what: 'folder synced' },
    }
    const note = notes[kind]
    if (!note) throw new Error(`a note of the kind ${kind}`)
    yield note
  }
}
