/** How long is waited for a frame: a hidden tab has none. In milliseconds. */
const NO_FRAME_MS = 100

/** Acts once what is drawn now is painted. Returns what calls it off. */
export function afterPaint(act: () => void): () => void {
  let timer = setTimeout(act, NO_FRAME_MS)
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer)
    // A task that is asked for in a frame comes after what the frame paints.
    timer = setTimeout(act)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}
