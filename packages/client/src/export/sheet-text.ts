const MINUS = '−'

/** Returns whole minutes as `7:30`, or `−0:30`. */
export function hoursText(minutes: number): string {
  const length = Math.abs(minutes)
  return `${minutes < 0 ? MINUS : ''}${Math.floor(length / 60)}:${String(length % 60).padStart(2, '0')}`
}

/** Returns whole minutes with their sign: `+0:30`. */
export function deltaText(minutes: number): string {
  return `${minutes > 0 ? '+' : ''}${hoursText(minutes)}`
}
