/** So many rows go in or out at a time that a page stays responsive meanwhile. */
export const SLICE = 150

/** One slice after the other, each begun while the one before is under way, so that the database never waits for the page. */
export async function inSlices<T>(parts: readonly T[], each: (slice: T[]) => PromiseLike<unknown>): Promise<void> {
  let before: PromiseLike<unknown> | undefined
  for (let at = 0; at < parts.length; at += SLICE) {
    const underWay = each(parts.slice(at, at + SLICE))
    await before
    before = underWay
  }
  await before
}
