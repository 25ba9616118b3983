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

/** The key that commands go with on a platform, as it stands on its keyboards. */
export function commandKey(platform: string): string {
  return /^(mac|iphone|ipad)/i.test(platform) ? '⌘' : 'Ctrl'
}
