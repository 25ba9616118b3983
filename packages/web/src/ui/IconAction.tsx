import { ActionIcon } from '@mantine/core'
import type { Icon } from './icon.tsx'

interface Props {
  Icon: Icon
  /** The accessible name and tooltip. */
  label: string
  /** The tooltip, if the label would repeat the text beside it. */
  title?: string
  onClick: () => void
}

/** A small icon button. */
export function IconAction({ Icon, label, title = label, onClick }: Props) {
  return (
    <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} title={title} onClick={onClick}>
      <Icon size={18} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
}
