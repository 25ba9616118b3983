/** The last row of a trail: its number and its hash, both empty before the first (D29.4). */
export interface TrailHead {
  number: number
  hash: string
}
