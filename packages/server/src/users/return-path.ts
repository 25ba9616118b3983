/** The longest path of the app to return to. */
const MAX_LENGTH = 1_000
/** Any origin: a path must stay within it. */
const ORIGIN = 'https://saldo.invalid'

/** True for a path of the app, to which a browser can be sent: nothing of another origin, and no route of the API. */
export function isReturnPath(path: string): boolean {
  if (!/^\/(?![/\\])[\x21-\x7e]*$/.test(path) || path.length > MAX_LENGTH || path.includes('#')) return false
  const url = URL.parse(path, ORIGIN)
  return url?.origin === ORIGIN && !/^\/api(\/|$)/.test(url.pathname)
}
