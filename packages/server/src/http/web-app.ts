import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { firstAccepted } from './compress.ts'
import { isFresh } from './preconditions.ts'
import type { RequestHeaders } from './request-headers.ts'
import type { Answer } from './route.ts'

/** The web app's files. */
export interface WebApp {
  /** The file at a path, or the app's page where a browser asks for one; nothing below `/api`, and no other files. */
  answer(path: string, headers: RequestHeaders): Answer | undefined
}

/** Nothing from elsewhere and no scripts in pages; the component library sets styles on elements. */
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

const texts: Partial<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}
const others: Partial<Record<string, string>> = {
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}

/** What a build may have put beside a file, best first. */
const encodings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
]

interface AppFile {
  body: Uint8Array
  type: string
  etag: string
  /** The other headers. */
  headers: Record<string, string>
  /** The same, compressed. */
  variants: readonly { name: string; body: Uint8Array }[]
}

/**
 * Reads the built web app into memory, so that no request leads to the disk; `undefined` where the folder has no
 * `index.html`. Hidden files and symbolic links are left out.
 */
export function readWebApp(folder: string): WebApp | undefined {
  if (!existsSync(join(folder, 'index.html'))) return undefined
  const files = readFiles(folder)
  const index = files.get('/index.html')
  return {
    answer(path, headers) {
      if (!path.startsWith('/') || path === '/api' || path.startsWith('/api/')) return undefined
      const asksForPage = path === '/' || headers.accept?.includes('text/html')
      const file = files.get(path) ?? (asksForPage ? index : undefined)
      return file && answerOf(file, headers)
    },
  }
}

/** The files by their path, written as browsers do. */
function readFiles(folder: string): Map<string, AppFile> {
  const bodies = new Map(
    filesIn(folder).map((names) => [encodeURI(`/${names.join('/')}`), readFileSync(join(folder, ...names))]),
  )
  return new Map([...bodies].map(([path, body]) => [path, fileOf(path, body, bodies)]))
}

/** Each file as the names that lead to it. */
function filesIn(folder: string, names: readonly string[] = []): string[][] {
  return readdirSync(join(folder, ...names), { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('.'))
    .flatMap((entry) => {
      const path = [...names, entry.name]
      if (entry.isDirectory()) return filesIn(folder, path)
      return entry.isFile() ? [path] : []
    })
}

function fileOf(path: string, body: Uint8Array, bodies: ReadonlyMap<string, Uint8Array>): AppFile {
  const extension = extname(path)
  const text = texts[extension]
  const tag = `"${hash('sha256', body, 'base64url')}"`
  return {
    body,
    type: text ?? others[extension] ?? 'application/octet-stream',
    // A strong tag would also say: not to be compressed.
    etag: text ? `W/${tag}` : tag,
    headers: {
      'content-security-policy': POLICY,
      // The build names these by what is in them.
      'cache-control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(text && { vary: 'Accept-Encoding' }),
    },
    variants: encodings.flatMap(({ name, suffix }) => {
      const variant = text && bodies.get(path + suffix)
      return variant ? [{ name, body: variant }] : []
    }),
  }
}

function answerOf({ body, type, etag, headers: more, variants }: AppFile, asked: RequestHeaders): Answer {
  const headers = { ...more, etag }
  if (isFresh(asked, etag)) return { status: 304, headers }
  const variant = firstAccepted(variants, asked['accept-encoding'])
  if (!variant) return { status: 200, body, headers: { ...headers, 'content-type': type } }
  return {
    status: 200,
    body: variant.body,
    headers: { ...headers, 'content-type': type, 'content-encoding': variant.name },
  }
}
