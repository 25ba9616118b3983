/** Returns the set-up code in the address that the service prints at its start (D8.20), if any. */
export function setupCodeIn(hash: string): string | undefined {
  return new URLSearchParams(hash.slice(1)).get('setup') ?? undefined
}
