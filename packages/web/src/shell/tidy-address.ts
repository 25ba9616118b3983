/**
 * Gives the address one slash at the beginning of its path: to everything that resolves a path, two begin the name of a
 * host, and the browser refuses to replace an address by one of another host.
 */
export function tidyAddress(): void {
  const { pathname, search, hash } = location
  if (pathname.startsWith('//')) history.replaceState(null, '', pathname.replace(/^\/+/, '/') + search + hash)
}
