import { type DurationMs, itemAt, MINUTE_MS } from '@saldo/core'

/** Returns a duration in whole minutes, rounded down. */
export function wholeMinutes(ms: DurationMs): number {
  return Math.floor(ms / MINUTE_MS)
}

/**
 * Rounds each duration to whole minutes, up or down, so that they add up to `total` minutes. The largest remainders are
 * rounded up, of equal ones the first; a duration of whole minutes stays (D13.3). Throws a `RangeError` if `total` is a
 * minute or more away from the sum.
 */
export function apportionMinutes(durationsMs: readonly DurationMs[], total: number): number[] {
  const floors = durationsMs.map(wholeMinutes)
  const remainders = durationsMs.map((ms, index) => ms - itemAt(floors, index) * MINUTE_MS)
  const raised = total - floors.reduce((sum, minutes) => sum + minutes, 0)
  if (raised < 0 || raised > remainders.filter((ms) => ms > 0).length) {
    throw new RangeError(`${durationsMs.length} durations do not add up to ${total} minutes`)
  }
  const byRemainder = [...remainders.keys()].sort((a, b) => itemAt(remainders, b) - itemAt(remainders, a))
  const isRaised = new Set(byRemainder.slice(0, raised))
  return floors.map((minutes, index) => minutes + (isRaised.has(index) ? 1 : 0))
}

/** A duration that leaves one sum and enters another. Each sum gives as much as it gets. */
export interface Flow {
  from: string
  to: string
  ms: DurationMs
}

/**
 * Rounds each flow to whole minutes, up or down, so that all sums still hold; the last becomes `lastMinutes`, and a
 * flow of whole minutes stays (D13.2, D13.3). Throws a `RangeError` if the flows have no such rounding.
 *
 * Moving time around a circle of flows changes no sum. Flows that are not of whole minutes form circles, because no sum
 * has only one of them; so time is moved around each circle until a flow of it is of whole minutes.
 */
export function roundFlows(flows: readonly Flow[], lastMinutes: number): number[] {
  const partsMs = flows.map(({ ms }) => ms - wholeMinutes(ms) * MINUTE_MS)
  const partMs = (index: number) => itemAt(partsMs, index)
  const isBroken = (index: number) => partMs(index) % MINUTE_MS !== 0
  /** Flows that are not of whole minutes and form no circle: never more than there are sums. */
  let broken: number[] = []
  for (const [index, { from, to, ms }] of flows.entries()) {
    while (isBroken(index)) {
      const way = wayBetween(to, from, broken, flows)
      if (!way) break
      const circle = [{ index, direction: 1 }, ...way]
      const room = (sign: 1 | -1) =>
        Math.min(
          ...circle.map((step) => (step.direction === sign ? MINUTE_MS - partMs(step.index) : partMs(step.index))),
        )
      const isLast = index === flows.length - 1
      const isRaised = isLast ? lastMinutes > wholeMinutes(ms) : room(1) < room(-1)
      const movedMs = isRaised ? room(1) : -room(-1)
      for (const step of circle) partsMs[step.index] = partMs(step.index) + step.direction * movedMs
      broken = broken.filter(isBroken)
    }
    if (isBroken(index)) broken.push(index)
  }
  const minutes = flows.map(({ ms }, index) => wholeMinutes(ms) + Math.floor(partMs(index) / MINUTE_MS))
  if (broken.length > 0 || minutes.at(-1) !== lastMinutes) {
    throw new RangeError(`${flows.length} flows do not balance with ${lastMinutes} minutes as the last`)
  }
  return minutes
}

/** A flow by its index, along its direction or against it. */
interface Step {
  index: number
  direction: 1 | -1
}

/** Returns the steps from one sum to another along some of the flows, which form no circle. */
function wayBetween(from: string, to: string, among: readonly number[], flows: readonly Flow[]): Step[] | undefined {
  if (from === to) return []
  for (const index of among) {
    const flow = itemAt(flows, index)
    if (flow.from !== from && flow.to !== from) continue
    const isAlong = flow.from === from
    const others = among.filter((other) => other !== index)
    const way = wayBetween(isAlong ? flow.to : flow.from, to, others, flows)
    if (way) return [{ index, direction: isAlong ? 1 : -1 }, ...way]
  }
  return undefined
}
