import { useSaldo } from '@saldo/client/react'
import { useEffect, useState } from 'react'
import { keepForReload } from './kept-for-reload.ts'

/** Holds the text of a field, which this tab keeps while other views are shown and until after a reload. */
export function useKeptText(field: string) {
  const key = `saldo.kept-text.${field}.${useSaldo().user}`
  const [text, setText] = useState(() => sessionStorage.getItem(key) ?? '')
  useEffect(() => keepForReload(key, text), [key, text])
  return [text, setText] as const
}
