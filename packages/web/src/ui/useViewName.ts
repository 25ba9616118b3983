import { type RefObject, useEffect, useRef } from 'react'
import { announce } from './feedback/announcer.tsx'

const PRODUCT = 'Saldo'

/**
 * Returns the ref of a view's heading, whose text becomes the title of the window. Changes of it are announced; the
 * first title is read by browsers.
 */
export function useViewName(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    const name = heading.current?.textContent ?? ''
    const title = `${name} · ${PRODUCT}`
    if (document.title === title) return
    if (document.title !== PRODUCT) announce(name)
    document.title = title
  })
  return heading
}
