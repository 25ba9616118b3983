import { Select, type SelectProps } from '@mantine/core'
import { type MouseEvent, type SyntheticEvent, useRef, useState } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { chosenByText, labelOf, type Option } from './search-select-model.ts'

/** Typing replaces the chosen option, and does not add to its name. */
const selectText = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) => currentTarget.select()

/** A press on selected text would place the cursor in it, after the click. */
const keepSelection = (event: MouseEvent<HTMLInputElement>) => {
  if (document.activeElement === event.currentTarget) event.preventDefault()
}

interface Props extends Omit<SelectProps<string>, 'data' | 'value' | 'onChange' | 'searchValue' | 'onSearchChange'> {
  data: Option[]
  value: string | null
  onChange: (value: string | null) => void
}

/**
 * A choice whose options are found by typing. The first match is highlighted, so that Enter takes it: otherwise it
 * would send the form with the old choice. A text that is left takes the only option that fits; otherwise it stays, and
 * the field asks for an option (D32.1), so that the old choice does not return unseen.
 */
export function SearchSelect({ data, value, onChange, ...props }: Props) {
  const { t } = useTranslation()
  const [text, setText] = useState(() => labelOf(data, value))
  const [isOpenQuestion, setOpenQuestion] = useState(false)
  const isLeaving = useRef(false)
  const problem = isOpenQuestion ? t('ui.chooseFromList') : undefined
  const leave = () => {
    isLeaving.current = false
    const isCleared = props.clearable === true && text.trim() === ''
    const left = isCleared ? ({ kind: 'taken', value: null } as const) : chosenByText(text, data, value)
    setOpenQuestion(left.kind === 'asked')
    if (left.kind === 'asked') return
    setText(labelOf(data, left.value))
    if (left.value !== value) onChange(left.value)
  }
  return (
    <Select
      searchable
      selectFirstOptionOnChange
      nothingFoundMessage={t('ui.nothingFound')}
      {...props}
      ref={(element: HTMLInputElement | null) => element?.setCustomValidity(problem ?? '')}
      error={problem ?? props.error}
      onFocus={selectText}
      onClick={selectText}
      onMouseDown={keepSelection}
      data={data}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={(next) => {
        // A select shows its choice again as soon as it is left.
        if (isLeaving.current) return
        setText(next)
        setOpenQuestion(false)
      }}
      onBlurCapture={() => {
        isLeaving.current = true
      }}
      onBlur={leave}
    />
  )
}
