/** The condition to wait for. */
export interface Effect {
  selector: string
  /** True if the element has to disappear instead. */
  isGone?: boolean
  /** The text that it must no longer have. */
  not?: string
  /** The value that it must have. */
  value?: string
}
