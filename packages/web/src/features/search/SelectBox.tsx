import type { ChangeEvent } from 'react'
import classes from './SelectBox.module.css'

interface Props {
  label: string
  isOn: boolean
  /** True if it stands for several rows and some of them are selected, but not all. */
  isMixed?: boolean
  isDisabled?: boolean
  onChange(event: ChangeEvent<HTMLInputElement>): void
}

/** A checkbox that selects one row or all of them. */
export function SelectBox({ label, isOn, isMixed = false, isDisabled = false, onChange }: Props) {
  return (
    <input
      ref={(box) => {
        if (box) box.indeterminate = isMixed
      }}
      type="checkbox"
      className={classes.box}
      aria-label={label}
      disabled={isDisabled}
      checked={isOn}
      onChange={onChange}
    />
  )
}
