/** The number of rows that are read or written at a time, so that a page stays responsive. */
export const SLICE_ROWS = 150

/** Calls `write` with one slice of the rows after the other. */
export async function inSlices<T>(rows: readonly T[], write: (slice: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += SLICE_ROWS) await write(rows.slice(at, at + SLICE_ROWS))
}
