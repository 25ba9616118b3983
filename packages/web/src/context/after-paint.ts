/** How long is waited for a frame: a hidden tab has none. In milliseconds. */
const NO_FRAME_MS = 100

/** Resolved when what is drawn now is painted. */
export function painted(): Promise<void> {
  return new Promise((resolve) => afterPaint(resolve))
}

/** Acts once, when what is drawn now is painted. Returns what calls it off. */
export function afterPaint(act: () => void): () => void {
  // A task that is asked for in a frame comes after what the frame paints.
  const frame = requestAnimationFrame(() => wait(0))
  let timer: ReturnType<typeof setTimeout>
  const wait = (ms: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      cancelAnimationFrame(frame)
      act()
    }, ms)
  }
  wait(NO_FRAME_MS)
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
