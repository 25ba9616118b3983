interface Shortcut {
  /** As they stand on the keyboard. */
  keys: readonly string[]
  /** The key of what it does. */
  does: string
  /** True if it needs Ctrl or Cmd, so that nobody presses it by accident. */
  isCommand: boolean
}

const single = (does: string, ...keys: string[]): Shortcut => ({ keys, does, isCommand: false })
const command = (does: string, key: string): Shortcut => ({ keys: [key], does, isCommand: true })

/** Everything that a key does, for people; the views bind them. */
export const shortcuts: readonly Shortcut[] = [
  command('shortcuts.palette', 'K'),
  command('shortcuts.undo', 'Z'),
  single('shortcuts.timer', 'S'),
  single('shortcuts.break', 'B'),
  single('shortcuts.quick', 'Q'),
  single('shortcuts.new', 'N'),
  single('shortcuts.today', 'T'),
  single('shortcuts.neighbours', '←', '→'),
  single('shortcuts.help', '?'),
]

/** True if commands go with the key ⌘ on a platform, else with Ctrl. */
export function hasCommandKey(platform: string): boolean {
  return /^(mac|iphone|ipad)/i.test(platform)
}
