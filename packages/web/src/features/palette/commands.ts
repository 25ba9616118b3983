import type { TablerIcon } from '@tabler/icons-react'
import { folded, hasWords, wordsOf } from '../../ui/find-words.ts'

export interface Command {
  id: string
  label: string
  detail?: string
  icon: TablerIcon
  run(): void
}

/** A view that the palette can open. */
export interface PaletteView {
  /** The key of its name. */
  title: string
  icon: TablerIcon
  /** Its addresses; the first is the one to open. */
  paths: readonly [string, ...string[]]
}

export interface CommandGroup {
  label: string
  commands: readonly Command[]
}

/** The commands whose names have all words of the query; groups without any are left out. */
export function matching(groups: readonly CommandGroup[], query: string): CommandGroup[] {
  const words = wordsOf(query)
  return groups
    .map(({ label, commands }) => ({
      label,
      commands: commands.filter((command) => hasWords(folded(command.label), words)),
    }))
    .filter(({ commands }) => commands.length > 0)
}
