/** Finds faults in the layout of a page, as it is drawn now. */

/** A figure with its sign, a time with AM or PM, or a word of up to twelve letters: no line may break inside. */
const WHOLE = /[+−-]?\d[\d.,:]*(?:[\u00a0\u202f ][ap]m\b)?|(?<!\p{L})\p{L}{2,12}(?!\p{L})/giu
const FIGURE = /^[+−-]?\d[\d.,:]*$/
const ADDRESS = /\S*(?:@|:\/\/)\S*/g
/** Fields show all of a text of up to this length. */
const SHORT_TEXT = 20
const CONTROLS = 'a, button, input, select, textarea, summary, [role=button], [role=slider]'
const TEXT_FIELDS = 'input:is(:not([type]), [type=text], [type=search], [type=email], [type=number], [type=password])'

interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** The part of a text that is on one line, and seen. */
interface Piece {
  node: Text
  element: Element
  box: Box
}

type Overflow = 'visible' | 'scrolls' | 'hidden'

/** The layout of an element as far as it decides about what is inside. */
interface Frame {
  box: Box
  /** The element in which it is laid out, which can clip it. */
  container: Frame | undefined
  overflowX: Overflow
  overflowY: Overflow
  /** True if an ellipsis shows that a text goes on. */
  hasEllipsis: boolean
  /** True if it and all around it are drawn, and not for screen readers alone. */
  isDrawn: boolean
  /** The bar in which it stays while the page scrolls, which may lie over what scrolls below. */
  bar: Element | undefined
}

const frames = new Map<Element, Frame>()

function frameOf(element: Element): Frame {
  const known = frames.get(element)
  if (known) return known
  const { position, overflowX, overflowY, textOverflow, webkitLineClamp, clipPath } = getComputedStyle(element)
  const parent = element === document.body ? null : element.parentElement
  const around = position === 'absolute' && element instanceof HTMLElement ? element.offsetParent : parent
  const isBar = position === 'fixed' || position === 'sticky'
  const frame: Frame = {
    box: element.getBoundingClientRect(),
    container: around && around !== document.body && position !== 'fixed' ? frameOf(around) : undefined,
    overflowX: overflowOf(overflowX),
    overflowY: overflowOf(overflowY),
    hasEllipsis: textOverflow === 'ellipsis' || webkitLineClamp !== 'none',
    isDrawn: clipPath === 'none' && isVisible(element) && (!parent || frameOf(parent).isDrawn),
    bar: isBar ? element : parent ? frameOf(parent).bar : undefined,
  }
  frames.set(element, frame)
  return frame
}

const isVisible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })

function overflowOf(value: string): Overflow {
  if (value === 'visible') return 'visible'
  return value === 'auto' || value === 'scroll' ? 'scrolls' : 'hidden'
}

/** Returns what of a box is seen, and whether it is cut off: without an ellipsis, or with one. */
function seenOf(whole: Box, element: Element): { box: Box; isCut: boolean; isShortened: boolean } {
  const box = { left: whole.left, top: whole.top, right: whole.right, bottom: whole.bottom }
  let isCut = false
  let isShortened = false
  for (let at: Frame | undefined = frameOf(element); at; at = at.container) {
    const { overflowX, overflowY, hasEllipsis, box: inside } = at
    if (overflowX !== 'visible') {
      const isOutside = box.left < inside.left - 1 || box.right > inside.right + 1
      isCut ||= overflowX === 'hidden' && !hasEllipsis && isOutside
      isShortened ||= hasEllipsis && isOutside
      box.left = Math.max(box.left, inside.left)
      box.right = Math.min(box.right, inside.right)
    }
    if (overflowY !== 'visible') {
      const isOutside = box.top < inside.top - 2 || box.bottom > inside.bottom + 2
      isCut ||= overflowY === 'hidden' && !hasEllipsis && isOutside
      box.top = Math.max(box.top, inside.top)
      box.bottom = Math.min(box.bottom, inside.bottom)
    }
  }
  return { box, isCut: isCut || box.left < -1 || box.right > innerWidth + 1, isShortened }
}

const isEmpty = ({ left, top, right, bottom }: Box) => right - left < 1 || bottom - top < 1

/** Returns what else lies over a box, at one of some shares of its width. */
function coverOf(element: Element, { left, top, right, bottom }: Box, shares: readonly number[]): Element | undefined {
  if (getComputedStyle(element).pointerEvents === 'none') return undefined
  for (const share of shares) {
    const above = document.elementFromPoint(left + (right - left) * share, (top + bottom) / 2)
    const isOther = above && !above.contains(element) && !element.contains(above)
    if (isOther && isVisible(above) && frameOf(above).bar === frameOf(element).bar) return above
  }
  return undefined
}

/** Returns the first figure or short word of a text that is on more than one line. Addresses may break anywhere. */
function brokenIn(node: Text): string | undefined {
  const range = document.createRange()
  const text = node.data.replaceAll(ADDRESS, (address) => ' '.repeat(address.length))
  const broken = [...text.matchAll(WHOLE)].find(({ index, 0: text }) => {
    range.setStart(node, index)
    range.setEnd(node, index + text.length)
    const [first, ...others] = [...range.getClientRects()].filter(({ width }) => width > 0.5)
    return first && others.some(({ top }) => top > first.top + first.height / 2)
  })
  return broken?.[0]
}

function linesOf(node: Text): Box[] {
  const range = document.createRange()
  range.selectNodeContents(node)
  return [...range.getClientRects()].filter((box) => !isEmpty(box))
}

/** True if the letters of two pieces overlap, and not only the space above and below them. */
function isOver({ box: one }: Piece, { box: other }: Piece): boolean {
  const height = Math.min(one.bottom - one.top, other.bottom - other.top)
  const overlapX = Math.min(one.right, other.right) - Math.max(one.left, other.left)
  const overlapY = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top)
  return overlapX > 1 && overlapY > height * 0.4
}

const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D

/** True if a field cuts off what it shows: a short text, or a long one without an ellipsis. */
function isFieldCut(field: HTMLInputElement): boolean {
  const text = field.value || field.placeholder
  const { font, paddingLeft, paddingRight, textOverflow } = getComputedStyle(field)
  pen.font = font
  const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
  const mayEnd = text.length > SHORT_TEXT && textOverflow === 'ellipsis'
  return !mayEnd && pen.measureText(text).width > room + 1
}

const nameOf = (element: Element) =>
  `<${element.tagName.toLowerCase()} ${element.getAttribute('class')?.slice(0, 60) ?? ''}>`

type Report = (fault: string, text: string, element: Element) => void

/** Reports the faults of the texts inside an element. Returns their pieces. */
function readTexts(root: Element, report: Report): Piece[] {
  const pieces: Piece[] = []
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode as Text
    const element = node.parentElement
    if (!element || node.data.trim() === '' || !frameOf(element).isDrawn) continue
    const lines = linesOf(node)
    const broken = lines.length > 1 && getComputedStyle(element).hyphens !== 'auto' ? brokenIn(node) : undefined
    if (broken !== undefined) report('broken over lines', broken, element)
    for (const line of lines) {
      const { box, isCut, isShortened } = seenOf(line, element)
      if (isCut || (isShortened && FIGURE.test(node.data.trim()))) report('cut off', node.data, element)
      if (isEmpty(box)) continue
      pieces.push({ node, element, box })
      const cover = isShortened ? undefined : coverOf(element, box, [0.25, 0.5, 0.75])
      if (cover) report(`covered by ${nameOf(cover)}`, node.data, element)
    }
  }
  return pieces
}

function comparePieces(pieces: readonly Piece[], report: Report): void {
  const inOrder = pieces.toSorted((one, other) => one.box.top - other.box.top)
  for (const [index, piece] of inOrder.entries()) {
    for (const other of inOrder.slice(index + 1)) {
      if (other.box.top > piece.box.bottom) break
      const isBeside = other.node === piece.node || frameOf(other.element).bar !== frameOf(piece.element).bar
      if (!isBeside && isOver(piece, other))
        report(`over “${other.node.data.slice(0, 40)}”`, piece.node.data, piece.element)
    }
  }
}

/** Returns the faults, each with a text and the element in which it is. */
function faults(): string[] {
  frames.clear()
  const found = new Set<string>()
  const report: Report = (fault, text, element) => {
    found.add(`${fault}: “${text.slice(0, 40)}” ${nameOf(element)}`)
  }
  if (document.documentElement.scrollWidth > innerWidth) found.add('the page scrolls sideways')
  // A dialog covers the page on purpose.
  const dialog = [...document.querySelectorAll('[role=dialog]')].findLast((element) => element.checkVisibility())
  const root = dialog ?? document.body
  comparePieces(readTexts(root, report), report)
  for (const control of root.querySelectorAll(CONTROLS)) {
    if (!frameOf(control).isDrawn) continue
    const { box } = seenOf(control.getBoundingClientRect(), control)
    // At its ends a field has its buttons.
    const cover = isEmpty(box) ? undefined : coverOf(control, box, [0.5])
    if (cover) report(`covered by ${nameOf(cover)}`, control.ariaLabel ?? control.textContent, control)
  }
  for (const field of root.querySelectorAll<HTMLInputElement>(TEXT_FIELDS)) {
    if (frameOf(field).isDrawn && isFieldCut(field)) report('cut off', field.value || field.placeholder, field)
  }
  return [...found]
}

Object.assign(globalThis, { layout: { faults } })
