import { ActionIcon } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'

interface Props {
  Icon: Icon
  /** Its name, which also shows where it is pointed at. */
  label: string
  /** The tooltip, if the label would repeat the text beside it. */
  title?: string
  onClick: () => void
}

/** A small act beside what it is done to. */
export function IconAction({ Icon, label, title = label, onClick }: Props) {
  return (
    <ActionIcon variant="subtle" color="gray" size={32} aria-label={label} title={title} onClick={onClick}>
      <Icon size={18} stroke={1.75} aria-hidden />
    </ActionIcon>
  )
}
