/** What is waited for. */
export interface Effect {
  selector: string
  /** Whether it has to be gone instead. */
  isGone?: boolean
  /** What its text has to differ from. */
  not?: string
  /** What its value has to be. */
  value?: string
}
