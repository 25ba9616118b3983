import { stripVTControlCharacters, styleText } from 'node:util'
import { MINUTE_MS } from '@saldo/core'

type Style = Parameters<typeof styleText>[0]

/** Returns a text in a style if standard output is a terminal with colours (NO_COLOR and FORCE_COLOR count). */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout, validateStream: true })
}

/** Returns a length of time as hours and minutes, rounded down as in the app: `7:30`. */
export function hours(ms: number): string {
  const minutes = Math.floor(ms / MINUTE_MS)
  const length = Math.abs(minutes)
  return `${minutes < 0 ? '-' : ''}${Math.floor(length / 60)}:${String(length % 60).padStart(2, '0')}`
}

/** Returns a difference as hours and minutes with a sign: `+0:15`, in red if it is negative. */
export function signedHours(ms: number): string {
  const text = hours(ms)
  return text.startsWith('-') ? styled('red', text) : text === '0:00' ? text : styled('green', `+${text}`)
}

export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

const WIDE = /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u

/** Returns the number of columns that a text takes in a terminal. */
function widthOf(text: string): number {
  const letters = [...new Intl.Segmenter().segment(stripVTControlCharacters(text))]
  return letters.reduce((sum, { segment }) => sum + (WIDE.test(segment) ? 2 : 1), 0)
}

/** Returns rows as lines with aligned columns; `alignment` has `<` or `>` for each column. */
export function table(rows: readonly (readonly string[])[], alignment: string): string[] {
  const widths = [...alignment].map((_, column) => Math.max(0, ...rows.map((row) => widthOf(row[column] ?? ''))))
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - widthOf(cell))
        return alignment[column] === '>' ? space + cell : cell + space
      })
      .join('  ')
      .trimEnd(),
  )
}
