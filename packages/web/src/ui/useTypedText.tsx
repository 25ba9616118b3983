import { UnstyledButton } from '@mantine/core'
import type { Reading } from '@saldo/client/reading'
import { type ChangeEvent, type FocusEvent, type ReactNode, useRef, useState } from 'react'
import { useTranslation } from '../i18n/translation.ts'
import { typedOf } from './typed-values.ts'
import classes from './useTypedText.module.css'

interface Options<T> {
  /** The value as text, which the field shows unless somebody types. */
  shown: string
  read: (text: string) => Reading<T>
  textOf: (value: T) => string
  onRead: (value: T) => void
  /** Returns why the field does not take a value; `undefined` if it does. */
  refuse?: (value: T) => string | undefined
  /** Called when the field is emptied. Without it, an empty text is wrong. */
  onEmpty?: (() => void) | undefined
  /** Called when the typed text has no value that the field takes. */
  onUnread?: (() => void) | undefined
  /** The error of a text without a value. Its form cannot be submitted. */
  wrong: string
}

const takeAll = () => undefined

/**
 * Returns the properties of a text field for a value that people type, and a function that drops the typed text. Of a
 * text that can mean several values, the field asks which one is meant.
 */
export function useTypedText<T>(options: Options<T>) {
  const { shown, read, textOf, onRead, refuse = takeAll, onEmpty, onUnread, wrong } = options
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState<string>()
  const isEmpty = (typed: string) => onEmpty !== undefined && typed.trim() === ''
  const typedText = (typed: string) => typedOf(read(typed), refuse)
  const typed = text === undefined || isEmpty(text) ? undefined : typedText(text)
  const problem =
    typed?.kind === 'asked'
      ? t('ui.which')
      : typed?.kind === 'refused'
        ? typed.why
        : typed?.kind === 'unread'
          ? wrong
          : undefined
  const drop = () => setText(undefined)
  const choose = (value: T) => {
    drop()
    onRead(value)
    input.current?.focus()
  }
  const error: ReactNode =
    typed?.kind === 'asked' ? (
      <>
        {problem}
        {typed.choices.map((value) => (
          <UnstyledButton key={textOf(value)} className={classes.choice} onClick={() => choose(value)}>
            {textOf(value)}
          </UnstyledButton>
        ))}
      </>
    ) : (
      problem
    )
  const field = {
    autoComplete: 'off',
    ref: (element: HTMLInputElement | null) => {
      input.current = element
      element?.setCustomValidity(problem ?? '')
    },
    value: text ?? shown,
    error,
    onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => currentTarget.select(),
    onChange({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) {
      setText(value)
      if (isEmpty(value)) {
        onEmpty?.()
        return
      }
      const next = typedText(value)
      if (next.kind === 'taken') onRead(next.value)
      else onUnread?.()
    },
    onBlur: () => problem === undefined && drop(),
  }
  return { field, drop }
}
