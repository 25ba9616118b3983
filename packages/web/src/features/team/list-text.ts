import { decodeText, readLines, UnreadableFileError } from '@saldo/client/import'

/** Some 10,000 people. A list is read while everything else waits, and each of its lines is shown. */
export const MAX_LIST_CHARACTERS = 500_000

/** Returns the text of a file with a list; undefined for one that is too large, which is not read. */
export async function readList(file: Blob): Promise<string | undefined> {
  return file.size > MAX_LIST_CHARACTERS ? undefined : decodeText(new Uint8Array(await file.arrayBuffer()))
}

/** Returns the lines of a list; undefined for one that is too large or not a table. */
export function listLines(text: string): ReturnType<typeof readLines> | undefined {
  if (text.length > MAX_LIST_CHARACTERS) return undefined
  try {
    return readLines(new TextEncoder().encode(text))
  } catch (error) {
    if (!(error instanceof UnreadableFileError)) throw error
    return undefined
  }
}
