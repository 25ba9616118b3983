/** Returns the secret in the address of an invitation or a reset, `/link#<secret>` (D19.11), if it is one. */
export function secretOfLink({ pathname, hash }: Pick<Location, 'pathname' | 'hash'>): string | undefined {
  return pathname === '/link' && hash.length > 1 ? hash.slice(1) : undefined
}
