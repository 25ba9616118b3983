import { type EngineTab, until } from './engine.ts'

/** Finds what a person can use by its name: in an open dialog first, and the whole name before a part of it. */
const FIND = `(name) => {
  const controls = 'button, a, input:not([type=file]), textarea, summary, [role=menuitem], [role=option]'
  const textOf = (node) => {
    if (node.ariaHidden === 'true') return ''
    return node.childNodes.length === 0 ? (node.data ?? '') : [...node.childNodes].map(textOf).join('')
  }
  const nameOf = (element) =>
    element.ariaLabel ?? ([...(element.labels ?? [])].map(textOf).join(' ') || textOf(element))
  const isThere = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0
  const dialog = [...document.querySelectorAll('[role=dialog]')].findLast(isThere)
  const found = [...(dialog ?? document).querySelectorAll(controls)].filter(isThere)
  return (
    found.find((element) => nameOf(element).trim() === name) ?? found.find((element) => nameOf(element).includes(name))
  )
}`

/** The keys that have no character, as WebDriver numbers them. */
const keys = { Control: '\uE009', Enter: '\uE007', Escape: '\uE00C' } as const

/** Uses a tab as a person does, by mouse and keyboard. */
export class Person {
  readonly #tab: EngineTab

  constructor(tab: EngineTab) {
    this.#tab = tab
  }

  /** Waits until an expression is true. */
  async sees(expression: string): Promise<void> {
    const look = async () => {
      if (await this.#tab.evaluate<boolean>(`Boolean(${expression})`)) return
      const shown = await this.#tab.evaluate<string>('location.pathname + " shows: " + document.body.innerText')
      throw new Error(`not yet: ${expression}; ${shown.slice(0, 300)}`)
    }
    await until(look)
  }

  /** Waits until the page shows a text. */
  async reads(text: string): Promise<void> {
    await this.sees(`document.body.innerText.includes(${JSON.stringify(text)})`)
  }

  /** Presses what has a name. */
  async presses(name: string): Promise<void> {
    const element = `(${FIND})(${JSON.stringify(name)})`
    await this.sees(`${element}?.disabled === false || ${element}?.tagName === 'A' || ${element}?.role`)
    const middle = `(async (element) => {
      const middle = () => {
        const { x, y, width, height } = element.getBoundingClientRect()
        return [Math.round(x + width / 2), Math.round(y + height / 2)]
      }
      // A menu follows the page a moment later, so the page is scrolled only to what is not in view.
      const place = () => {
        const there = document.elementFromPoint(...middle())
        if (!element.contains(there)) element.scrollIntoView({ block: 'center', behavior: 'instant' })
        return middle()
      }
      // Once it no longer moves.
      for (let before = ''; before !== String(place()); ) {
        before = String(place())
        await new Promise((done) => setTimeout(done, 100))
      }
      return place()
    })(${element})`
    const [x, y] = await this.#tab.evaluate<[number, number]>(middle)
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ] as const
    await this.#tab.act([{ type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [...actions] }])
  }

  /** Replaces the text of the field that has a name. */
  async fills(name: string, text: string): Promise<void> {
    await this.presses(name)
    await this.#types([
      { type: 'keyDown', value: keys.Control },
      ...strokeOf('a'),
      { type: 'keyUp', value: keys.Control },
      ...[...text].flatMap(strokeOf),
    ])
  }

  async hits(key: keyof typeof keys): Promise<void> {
    await this.#types(strokeOf(keys[key]))
  }

  async #types(actions: ReturnType<typeof strokeOf>): Promise<void> {
    await this.#tab.act([{ type: 'key', id: 'keyboard', actions }])
  }
}

function strokeOf(value: string): { type: 'keyDown' | 'keyUp'; value: string }[] {
  return [
    { type: 'keyDown', value },
    { type: 'keyUp', value },
  ]
}
