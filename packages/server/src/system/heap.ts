import { constants, type PerformanceNodeEntry, PerformanceObserver } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'

/** How the heap may grow before V8 looks for garbage among what is old. */
export interface HeapGrowth {
  /** What a small heap may grow to, in bytes. */
  smallBytes: number
  /** What any other may grow by, in percent. */
  percent: number
}

/**
 * By how much a heap may grow in which so many bytes are alive, in percent. V8 lets any heap grow by the same share: one share for
 * all would have a small heap looked through again and again, or a large one grow by far more than it needs.
 */
export function growthOf(aliveBytes: number, { smallBytes, percent }: HeapGrowth): number {
  return Math.max(percent, Math.floor((smallBytes / aliveBytes - 1) * 100))
}

/**
 * Has V8 let the heap grow so from now on. It reads the share as it ends a collection, so what is told of one counts at the next,
 * and lets the young have their room beside it.
 */
export function letHeapGrow(growth: HeapGrowth): void {
  const tell = () => {
    setFlagsFromString(`--heap-growing-percent=${growthOf(getHeapStatistics().used_heap_size, growth)}`)
  }
  tell()
  const observer = new PerformanceObserver((list) => {
    const kinds = list.getEntries().map((entry) => (entry as PerformanceNodeEntry).detail as { kind: number })
    if (kinds.some(({ kind }) => kind === constants.NODE_PERFORMANCE_GC_MAJOR)) tell()
  })
  observer.observe({ entryTypes: ['gc'] })
}
