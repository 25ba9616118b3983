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

/** Returns the fields of the address in the browser. */
export function useAddressFields(): URLSearchParams {
  const hash = useLocationProperty(() => location.hash)
  return useMemo(() => fieldsOf(hash), [hash])
}
