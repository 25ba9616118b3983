/** Gives a Node that has no `Temporal` yet (before 26) a kept polyfill of it. */
export async function ensureTemporal(): Promise<void> {
  if (!('Temporal' in globalThis)) await import('temporal-polyfill/global')
}
