import { asLine } from '@saldo/core'

/** More of a name says something else than who somebody is. */
const MAX_LENGTH = 60

/** Signs that addresses are made of, in the widths that browsers take for the same. */
const SLASHES = /[/\\\u2044\u2215\uff0f\uff3c]+/gu
const JOINTS = /[.:@\u2024\u3002\ufe52\ufe55\ufe6b\uff0e\uff1a\uff20\uff61](?=\S)/gu

/**
 * Returns a name for a mail, in which no program finds a link: without slashes, with a space after each dot, colon and
 * at sign, and no longer than 60 characters (D19.29).
 */
export function nameInMail(name: string): string {
  const spaced = asLine(name).replaceAll(SLASHES, ' ').replaceAll(JOINTS, '$& ').replaceAll(/\s+/gu, ' ').trim()
  const characters = [...spaced]
  return characters.length <= MAX_LENGTH ? spaced : `${characters.slice(0, MAX_LENGTH).join('').trimEnd()}…`
}
