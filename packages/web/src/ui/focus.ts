import { type RefObject, useEffect, useRef, useState } from 'react'

/** Elements that lie over the page for a while. */
const OVERLAYS = '[role=dialog], [role=menu], [role=listbox], [popover]'
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea, summary, [tabindex="0"]'

const ROWS = 'li, tr, fieldset'

/** The element that has the focus, or had it when it was removed. */
let focused: HTMLElement | undefined
/** The same outside overlays. */
let onPage: HTMLElement | undefined

/** Focuses the first element that is still there, else the view. */
function focusFirst(...wanted: readonly (Element | null | undefined)[]): void {
  const found =
    wanted.find((element) => element?.isConnected && element !== document.body) ?? document.querySelector('main')
  if (found instanceof HTMLElement) found.focus({ preventScroll: true })
}

/** Returns the element to focus when an overlay closes whose own origin is gone, such as a menu that led to it. */
function lastFocusOnPage(): HTMLElement | undefined {
  return onPage
}

/**
 * Moves the focus when the focused element is removed, where browsers drop it: to the next row of its list, the one
 * before, or what is beside the list, else to the view. Returns a function that ends this.
 */
export function keepFocus(): () => void {
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    focused = target
    if (!target.closest(OVERLAYS)) onPage = target
  }
  const onBlur = ({ target, relatedTarget }: FocusEvent) => {
    if (relatedTarget) return
    // Elements that are removed lose the focus too, which is known only once they are.
    queueMicrotask(() => {
      if (target !== focused || !focused?.isConnected || document.activeElement !== document.body) return
      focused = undefined
      onPage = undefined
    })
  }
  const observer = new MutationObserver((records) => {
    const lost = focused
    if (!lost || lost.isConnected || document.activeElement !== document.body) return
    focused = undefined
    for (const { target, removedNodes, nextSibling, previousSibling } of records) {
      const removed = [...removedNodes].find((node) => node.contains(lost))
      // Dialogs put the focus back themselves.
      if (!(removed instanceof HTMLElement) || removed.matches(OVERLAYS) || removed.querySelector(OVERLAYS)) continue
      const isRow = removed.matches(ROWS)
      const places = isRow ? [nextSibling, previousSibling, target] : removed.matches('ul, ol, table') ? [target] : []
      focusFirst(...places.map(firstFocusable))
      return
    }
  })
  document.addEventListener('focusin', onFocus)
  document.addEventListener('focusout', onBlur)
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('focusout', onBlur)
    observer.disconnect()
  }
}

/**
 * Focuses the first wrong field of a form that cannot be submitted, without the browser's bubble over the error that
 * the field shows itself. Returns a function that ends this.
 */
export function showOwnErrors(): () => void {
  const onInvalid = (event: Event) => {
    const { target } = event
    if (!(target instanceof HTMLInputElement) || !target.validity.customError) return
    event.preventDefault()
    const first = target.form?.querySelector<HTMLElement>('input:invalid, textarea:invalid')
    if (first === target) target.focus()
  }
  document.addEventListener('invalid', onInvalid, true)
  return () => document.removeEventListener('invalid', onInvalid, true)
}

function firstFocusable(place: Node | null): Element | undefined {
  return (place instanceof Element && place.querySelector(FOCUSABLE)) || undefined
}

/** Puts the focus back where it was before the component, when it goes. */
export function useFocusReturn(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(() => () => focusFirst(before, lastFocusOnPage()), [before])
}

/**
 * Returns the ref of a form whose first wrong field gets the focus when `problem` becomes another one than `undefined`.
 * Screen readers read the field with its error then.
 */
export function useInvalidFocus(problem: unknown): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (problem !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [problem])
  return form
}
