import { type ChangeEvent, type FocusEvent, useState } from 'react'

interface Options<T> {
  /** The value as text, which the field shows unless somebody types. */
  shown: string
  /** Returns the value of a typed text; `undefined` if it has none. */
  parse: (text: string) => T | undefined
  onParsed: (value: T) => void
  /** Called when the field is emptied. Without it, an empty text is wrong. */
  onEmpty?: () => void
  /** The error of a text without a value. Its form cannot be submitted. */
  wrong: string
}

/** Returns the properties of a text field for a value that people type, and a function that drops the typed text. */
export function useTypedText<T>({ shown, parse, onParsed, onEmpty, wrong }: Options<T>) {
  const [text, setText] = useState<string>()
  const isEmpty = (typed: string) => onEmpty !== undefined && typed.trim() === ''
  const isWrong = text !== undefined && !isEmpty(text) && parse(text) === undefined
  const error = isWrong ? wrong : undefined
  const drop = () => setText(undefined)
  const field = {
    autoComplete: 'off',
    ref: (input: HTMLInputElement | null) => input?.setCustomValidity(error ?? ''),
    value: text ?? shown,
    error,
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => currentTarget.select(),
    onChange({ currentTarget: { value: typed } }: ChangeEvent<HTMLInputElement>) {
      setText(typed)
      const value = parse(typed)
      if (value !== undefined) onParsed(value)
      else if (isEmpty(typed)) onEmpty?.()
    },
    onBlur: () => !isWrong && drop(),
  }
  return { field, drop }
}
