import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { extname, join } from 'node:path'
import { isFresh } from './preconditions.ts'
import type { RouteResponse } from './route.ts'
import { firstAccepted } from './send.ts'

export interface WebApp {
  /** Answers the file at a path, or `index.html` to a browser that wants a page; `undefined` below `/api`. */
  answer(path: string, headers: IncomingHttpHeaders): RouteResponse | undefined
}

/** Allows nothing from other origins and no inline scripts. The component library needs inline styles. */
const POLICY = [
  "default-src 'none'",
  "object-src 'none'",
  "script-src 'self'",
  "require-trusted-types-for 'script'",
  'trusted-types default',
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const textTypes: Partial<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}
const binaryTypes: Partial<Record<string, string>> = {
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** The encodings in which a build may have compressed a file, the preferred first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

interface AppFile {
  body: Uint8Array
  type: string
  etag: string
  headers: Record<string, string>
  variants: readonly { name: string; body: Uint8Array }[]
}

/**
 * Reads the built web app into memory, so that no path of a request reaches the file system. Returns `undefined` if the
 * folder has no `index.html`. Ignores hidden files and symbolic links.
 */
export function readWebApp(folder: string): WebApp | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const files = readFiles(folder)
  const index = files.get('/index.html')
  return {
    answer(path, headers) {
      if (!path.startsWith('/') || path === '/api' || path.startsWith('/api/')) return undefined
      const wantsPage = path === '/' || headers.accept?.includes('text/html')
      const file = files.get(path) ?? (wantsPage ? index : undefined)
      return file && answerOf(file, headers)
    },
  }
}

/** Returns the files by their encoded URL path. */
function readFiles(folder: string): Map<string, AppFile> {
  const bodies = new Map(
    filesIn(folder).map((names) => [encodeURI(`/${names.join('/')}`), readFileSync(join(folder, ...names))]),
  )
  return new Map([...bodies].map(([path, body]) => [path, fileOf(path, body, bodies)]))
}

/** Returns the path of each file as an array of names. A recursive `readdirSync` would follow links. */
function filesIn(folder: string, names: readonly string[] = []): string[][] {
  return readdirSync(join(folder, ...names), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = [...names, entry.name]
      if (entry.isDirectory()) return filesIn(folder, path)
      return entry.isFile() ? [path] : []
    })
}

/**
 * True of the files that become a page, a picture or a worker of their own. What these load follows their policy, and
 * has the short one of every response: dozens of long ones would weigh more than some scripts.
 */
function hasPolicy(path: string): boolean {
  return !path.startsWith('/assets/') || path.includes('.worker-')
}

/**
 * Returns how long browsers may keep a file. The names of assets contain a hash of their content. A page that is not
 * stored is not set aside for the way back either: WebKit would do that in the middle of a write to the local database,
 * for which every later page then waits.
 */
function cachingOf(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable'
  return path === '/index.html' ? 'no-store' : 'no-cache'
}

function fileOf(path: string, body: Uint8Array, bodies: ReadonlyMap<string, Uint8Array>): AppFile {
  const extension = extname(path)
  const text = textTypes[extension]
  const tag = `"${hash('sha256', body, 'base64url')}"`
  return {
    body,
    type: text ?? binaryTypes[extension] ?? 'application/octet-stream',
    // A strong tag would forbid compression.
    etag: text ? `W/${tag}` : tag,
    headers: {
      ...(hasPolicy(path) && { 'content-security-policy': POLICY }),
      'cache-control': cachingOf(path),
      ...(text && { vary: 'Accept-Encoding' }),
    },
    variants: encodings.flatMap(({ name, suffix }) => {
      const variant = text && bodies.get(path + suffix)
      return variant ? [{ name, body: variant }] : []
    }),
  }
}

function answerOf(
  { body, type, etag, headers: fileHeaders, variants }: AppFile,
  requestHeaders: IncomingHttpHeaders,
): RouteResponse {
  const headers = { ...fileHeaders, etag }
  if (isFresh(requestHeaders, etag)) return { status: 304, headers }
  const variant = firstAccepted(variants, requestHeaders['accept-encoding'])
  if (!variant) return { status: 200, body, headers: { ...headers, 'content-type': type } }
  return {
    status: 200,
    body: variant.body,
    headers: { ...headers, 'content-type': type, 'content-encoding': variant.name },
  }
}
