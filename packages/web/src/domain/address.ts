import { useMemo } from 'react'
import { useLocationProperty } from 'wouter/use-browser-location'

/**
 * Returns the address of a path with fields, without those that are empty. They stand behind `#`, which a browser sends
 * to nobody, so that no log has the words of a search (D8.43).
 */
export function addressWith(path: string, fields: Readonly<Record<string, string>>): string {
  const filled = Object.entries(fields).filter(([, value]) => value !== '')
  return filled.length === 0 ? path : `${path}#${new URLSearchParams(filled)}`
}

/** Returns the fields of an address, by the part of it that begins with `#`. */
export function fieldsOf(hash: string): URLSearchParams {
  return new URLSearchParams(hash.replace(/^#/, ''))
}

/** The values that fields of the address of a view can have; it leaves out other fields. */
export type FieldReads = Readonly<Record<string, (text: string, fields: URLSearchParams) => boolean>>

/** Returns the fields of an address that a view leaves out, as they are written. */
export function unreadFields(fields: URLSearchParams, reads: FieldReads): string[] {
  return [...fields].flatMap(([name, text]) => {
    const isRead = text === '' || (Object.hasOwn(reads, name) && reads[name]?.(text, fields) === true)
    return isRead ? [] : [`${name}=${text}`]
  })
}

/** Returns the fields of the address in the browser. */
export function useAddressFields(): URLSearchParams {
  const hash = useLocationProperty(() => location.hash)
  return useMemo(() => fieldsOf(hash), [hash])
}
