/** A property of a calendar, such as `DTSTART;TZID=Europe/Berlin:20260105T080000`. Names are in capitals. */
export interface CalendarLine {
  name: string
  parameters: Readonly<Record<string, string>>
  value: string
  /** The line as the file has it, unfolded. */
  text: string
  /** True for a line whose parameters cannot be told from its value, such as one with a quotation mark too many. */
  isDamaged: boolean
}

/** A component of a calendar, such as an event. */
export interface CalendarComponent {
  name: string
  lines: CalendarLine[]
  components: CalendarComponent[]
  /** True once its END was read: without it, the rest of the component is missing. */
  isClosed: boolean
}

/** No calendar nests more: a reminder is in an event, which is in a calendar. */
const MAX_DEPTH = 8
/** A line with more of parameters is damaged. */
const MAX_HEAD_CHARACTERS = 10_000
const TIMES = new Set(['DTSTART', 'DTEND', 'EXDATE', 'RDATE', 'RECURRENCE-ID'])
const ZONE = ';TZID='
const NAME = /^([A-Za-z][A-Za-z0-9-]*)[;:]/

/**
 * Returns the components of a calendar file. Nothing stops the reading: a line that is no property continues the one
 * before it, as programs write that do not fold texts, and a component ends where the next of its kind begins.
 */
export function readComponents(text: string): CalendarComponent[] {
  const root = newComponent('')
  let open = [root]
  let previous: CalendarLine | undefined
  for (const line of text.replaceAll(/\n[ \t]/g, '').split('\n')) {
    const [, name] = NAME.exec(line) ?? []
    const inner = open.at(-1) ?? root
    if (name === undefined) {
      if (previous && line.trim() !== '') previous.value += `\n${line}`
      continue
    }
    const property = readLine(line, name.toUpperCase())
    previous = undefined
    const named = property.value.trim().toUpperCase()
    if (property.name === 'BEGIN') {
      const component = newComponent(named)
      // Events hold no events: the END of the one before is missing.
      const unclosed = open.findIndex(({ name }) => name === named && named !== 'VCALENDAR')
      if (unclosed !== -1) open = open.slice(0, unclosed)
      if (open.length > MAX_DEPTH) continue
      ;(open.at(-1) ?? root).components.push(component)
      open.push(component)
    } else if (property.name === 'END') {
      const ended = open.findLastIndex(({ name }) => name === named)
      if (ended < 1) continue
      const component = open[ended]
      if (component) component.isClosed = ended === open.length - 1
      open = open.slice(0, ended)
    } else {
      inner.lines.push(property)
      previous = property
    }
  }
  return root.components
}

/** Returns all components of a name, at any depth. */
export function componentsOf(components: readonly CalendarComponent[], name: string): CalendarComponent[] {
  return components.flatMap((one) => (one.name === name ? [one] : componentsOf(one.components, name)))
}

/** Returns the lines of a property. */
export function propertiesOf({ lines }: CalendarComponent, name: string): CalendarLine[] {
  return lines.filter((line) => line.name === name)
}

/** Returns the first line of a property. */
export function propertyOf({ lines }: CalendarComponent, name: string): CalendarLine | undefined {
  return lines.find((line) => line.name === name)
}

/** Returns a text without the escapes of RFC 5545, section 3.3.11. */
export function unescapeText(text: string): string {
  return text.replaceAll(/\\([nN\\;,])/g, (_, escaped: string) => (/n/i.test(escaped) ? '\n' : escaped))
}

/** Splits a list of texts at the commas that are not escaped, up to a number of texts. */
export function splitTexts(text: string, most: number): string[] {
  const texts: string[] = []
  for (const [found] of text.matchAll(/(?:\\[\s\S]|[^\\,])+/g)) if (texts.push(unescapeText(found)) >= most) break
  return texts
}

function newComponent(name: string): CalendarComponent {
  return { name, lines: [], components: [], isClosed: false }
}

function readLine(text: string, name: string): CalendarLine {
  const parameter = /;([^=:;"]+)=((?:"[^"]*"|[^";:])*)/y
  const parameters: Record<string, string> = {}
  const head = text.slice(0, MAX_HEAD_CHARACTERS)
  let at = name.length
  for (;;) {
    parameter.lastIndex = at
    const [whole, key, value = ''] = parameter.exec(head) ?? []
    if (whole === undefined || key === undefined) break
    parameters[key.trim().toUpperCase()] ??= value.replaceAll('"', '').trim()
    at += whole.length
  }
  // Exchange does not quote the colons in the names of its zones.
  const [zoneAt, colon] = [TIMES.has(name) ? text.toUpperCase().indexOf(ZONE) : -1, text.lastIndexOf(':')]
  const [zone, time] = [text.slice(zoneAt + ZONE.length, colon), text.slice(colon + 1)]
  if (zoneAt !== -1 && zone.includes(':') && !zone.includes('"') && /^[\dTZ,/]+$/i.test(time)) {
    return { name, parameters: { ...parameters, TZID: zone }, value: time, text, isDamaged: false }
  }
  const isDamaged = text[at] !== ':'
  const value = isDamaged ? text.slice(text.indexOf(':', at) + 1) : text.slice(at + 1)
  return { name, parameters, value, text, isDamaged }
}
