// Loaded before the program (`--import`): its time passes faster, and it tells how it is when it is asked.
import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fastNow, type Pace } from './pace.ts'

const pace = JSON.parse(process.env.SOAK_PACE ?? '') as Pace
const RealDate = Date

globalThis.Date = class extends RealDate {
  static override now(): number {
    return fastNow(pace, RealDate.now())
  }

  constructor(...given: unknown[]) {
    super(...((given.length === 0 ? [fastNow(pace, RealDate.now())] : given) as [number]))
  }
} as DateConstructor

/** State of the process. Delays are in milliseconds and cover the time since the last request. */
export interface Vitals {
  rssMb: number
  /** Live heap after a collection, if one was requested. */
  heapMb: number | null
  externalMb: number
  loopP99Ms: number
  loopMaxMs: number
  /** Processor time of the main thread, and its time in the run queue. */
  cpuMs: number
  waitedMs: number
  sockets: number
  timers: number
  files: number
}

let [lastCpuMs, lastWaitedMs] = schedule()

/** Processor and waiting time of the main thread since its start, in milliseconds. */
function schedule(): [cpuMs: number, waitedMs: number] {
  const [cpu, waited] = readFileSync('/proc/self/schedstat', 'utf8').split(' ').map(Number) as [number, number]
  return [cpu / 1e6, waited / 1e6]
}

const delay = monitorEventLoopDelay({ resolution: 10 })
delay.enable()

process.on('message', ({ collect }: { collect: boolean }) => {
  const [loopP99Ms, loopMaxMs] = [delay.percentile(99) / 1e6, delay.max / 1e6]
  const [cpuMs, waitedMs] = schedule()
  if (collect) globalThis.gc?.()
  const { rss, heapUsed, external } = process.memoryUsage()
  const resources = process.getActiveResourcesInfo()
  const open = (name: string) => resources.filter((resource) => resource === name).length
  const vitals: Vitals = {
    rssMb: rss / 1e6,
    heapMb: collect ? heapUsed / 1e6 : null,
    externalMb: external / 1e6,
    loopP99Ms,
    loopMaxMs,
    cpuMs: cpuMs - lastCpuMs,
    waitedMs: waitedMs - lastWaitedMs,
    sockets: open('TCPSocketWrap'),
    timers: open('Timeout'),
    files: readdirSync('/proc/self/fd').length,
  }
  process.send?.(vitals)
  ;[lastCpuMs, lastWaitedMs] = [cpuMs, waitedMs]
  delay.reset()
})
// Ends as if there were no request.
process.channel?.unref()
