import type { ChangeEvent } from 'react'
import classes from './SelectBox.module.css'

interface Props {
  label: string
  isOn: boolean
  /** Whether some of what it stands for are selected, and not all. */
  isMixed?: boolean
  disabled?: boolean
  onChange(event: ChangeEvent<HTMLInputElement>): void
}

/** The browser's own box: rows with one are drawn by dozens in a frame. */
export function SelectBox({ label, isOn, isMixed = false, disabled, onChange }: Props) {
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = isMixed
      }}
      type="checkbox"
      className={classes.box}
      aria-label={label}
      disabled={disabled}
      checked={isOn}
      onChange={onChange}
    />
  )
}
