import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Answer } from '../http/route.ts'

/** A page and its content security policy. */
interface Page {
  html: string
  policy: string
}

const strictPolicy =
  "default-src 'none'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'"
const apiPolicy = "script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'"

const homeStyle = `
  :root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif }
  body { max-width: 34rem; margin: 15vh auto; padding: 0 1.5rem }
  h1 { font-size: 2rem; margin: 0 0 .5rem }
`

/** The page at `/` if no app is built. */
export const homePage: Page = {
  html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Saldo</title>
<style>${homeStyle}</style>
<h1>Saldo</h1>
<p>Time tracking with a working-time account that works offline. The service is running.</p>
<p>To add the first user, run <code>saldo user add</code>, or call <code>POST /api/auth/sign-up</code> with the
set-up code that the service printed after <code>#setup=</code>.</p>
<p><a href="/api/docs">Try out the API</a></p>
</html>
`,
  policy: `${strictPolicy}; style-src 'sha256-${hash('sha256', homeStyle, 'base64')}'`,
}

/** The API page: Swagger UI for our own document. It loads nothing from other origins. */
export const apiPage: Page = {
  html: `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Saldo: API</title>
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
<main id="api"></main>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</html>
`,
  policy: `${strictPolicy}; ${apiPolicy}`,
}

const start = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null })
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
applyTheme()
dark.addEventListener('change', applyTheme)
`

export const pageAssets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'] as const

/** Answers a file of the API page. */
export async function pageAsset(name: (typeof pageAssets)[number]): Promise<Answer> {
  const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
  const headers = { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'max-age=3600' }
  if (name === 'start.js') return { status: 200, body: start, headers }
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
  return { status: 200, body: await readFile(join(folder, name), 'utf8'), headers }
}
