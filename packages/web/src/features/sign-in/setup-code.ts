/** The set-up code in the address that the service prints as it starts (D8), if there is one. */
export function setupCodeIn(hash: string): string | undefined {
  return new URLSearchParams(hash.slice(1)).get('setup') ?? undefined
}
