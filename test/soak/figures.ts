/** Returns the quantile of the values; 0 if there are none. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0
}

/** By how much values rise with x, by least squares. */
export function slope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const covariance = mean(points.map(([x, y]) => (x - meanX) * (y - meanY)))
  const variance = mean(points.map(([x]) => (x - meanX) ** 2))
  return variance === 0 ? 0 : covariance / variance
}
