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
  command('settings.shortcuts.palette', 'K'),
  command('settings.shortcuts.undo', 'Z'),
  single('settings.shortcuts.timer', 'S'),
  single('settings.shortcuts.break', 'B'),
  single('settings.shortcuts.quick', 'Q'),
  single('settings.shortcuts.new', 'N'),
  single('settings.shortcuts.today', 'T'),
  single('settings.shortcuts.neighbours', '←', '→'),
]

/** True if commands go with the key ⌘ on a platform, else with Ctrl. */
export function hasCommandKey(platform: string): boolean {
  return /^(mac|iphone|ipad)/i.test(platform)
}
