// Loaded before the program (`--import`): its time passes faster, and it measures its heap when it is asked.

/** A time that passes faster than the computer's: it is `startMs` when the computer's is, too. */
export interface Pace {
  startMs: number
  /** Factor of the speed. */
  speed: number
}

const RealDate = Date
const { startMs, speed } = JSON.parse(process.env.FAST_TIME ?? '') as Pace
const now = () => Math.floor(startMs + (RealDate.now() - startMs) * speed)

globalThis.Date = class extends RealDate {
  static override now(): number {
    return now()
  }

  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [now()] : given) as [number]))
  }
} as DateConstructor

process.on('message', () => {
  // Only what is alive counts.
  globalThis.gc?.()
  process.send?.({ aliveMb: process.memoryUsage().heapUsed / 1e6 })
})
// Ends as if there were no request.
process.channel?.unref()
