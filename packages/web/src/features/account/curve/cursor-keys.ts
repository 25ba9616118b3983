/** Returns the point of a curve that a key leads to, as its index; `undefined` for other keys. */
export function indexByKey(key: string, index: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowLeft: -1,
    ArrowDown: -1,
    ArrowRight: 1,
    ArrowUp: 1,
    PageUp: -30,
    PageDown: 30,
    Home: -count,
    End: count,
  }
  const by = steps[key]
  return by === undefined ? undefined : Math.min(count - 1, Math.max(0, index + by))
}
