import type { ChangeEvent } from 'react'
import classes from './SelectBox.module.css'

interface Props {
  label: string
  isOn: boolean
  /** Whether some of what it stands for are selected, and not all. */
  isMixed?: boolean
  onChange(event: ChangeEvent<HTMLInputElement>): void
}

/** A checkbox that selects one row or all of them. */
export function SelectBox({ label, isOn, isMixed = false, onChange }: Props) {
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = isMixed
      }}
      type="checkbox"
      className={classes.box}
      aria-label={label}
      checked={isOn}
      onChange={onChange}
    />
  )
}
