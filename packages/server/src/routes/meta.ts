import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PROTOCOL_VERSION, signups, wireLimits } from '@saldo/core'
import * as v from 'valibot'
import { openApiDocument } from '../http/openapi.ts'
import { ProblemError, responseOfProblem } from '../http/problem.ts'
import { json, type Route, type RouteResponse, route } from '../http/route.ts'
import { whoCanSignUp } from './auth.ts'
import type { RouteContext } from './route-context.ts'

const whole = v.pipe(v.number(), v.integer())
const Health = v.object({ status: v.literal('ok') })
const Version = v.object({
  protocol: whole,
  build: v.string(),
  signup: v.pipe(
    v.picklist(signups),
    v.metadata({ description: 'Who can sign up. `first_user` needs the set-up code.' }),
  ),
  sign_in: v.pipe(
    v.object({ password: v.boolean(), providers: v.array(v.object({ id: v.string(), label: v.string() })) }),
    v.metadata({ description: 'The ways to sign in: passwords and passkeys or not, and OpenID providers.' }),
  ),
  demo: v.pipe(
    v.boolean(),
    v.metadata({ description: 'True for a demo: an account that all visitors share, which is reset every hour.' }),
  ),
  mail: v.pipe(
    v.boolean(),
    v.metadata({ description: 'True if the service mails links, also to whoever forgot the password.' }),
  ),
  limits: v.object(Object.fromEntries(Object.keys(wireLimits).map((name) => [name, whole]))),
})

const apiPolicy = [
  "default-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
].join('; ')

/** The API page: Swagger UI for our own document. It loads nothing from other origins. */
const apiPage = fixed(
  `<!doctype html>
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
  { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': apiPolicy },
)

const start = `SwaggerUIBundle({ url: '/api/openapi.json', dom_id: '#api', deepLinking: true, validatorUrl: null })
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
applyTheme()
dark.addEventListener('change', applyTheme)
`

const pageAssets = ['swagger-ui.css', 'swagger-ui-bundle.js', 'start.js'] as const

export function metaRoutes(services: RouteContext, document: () => RouteResponse): Route[] {
  const common = { tag: 'service', access: 'public' as const }
  const pageAsset = pageAssetReader()
  const readiness = (path: string) =>
    route({
      ...common,
      endpoint: `GET ${path}`,
      summary: 'Check that the service accepts requests',
      responses: {
        200: {
          description: 'The service accepts requests, and its database responds and has room for writes.',
          schema: Health,
        },
      },
      problems: ['unavailable'],
      handle: () => readinessOf(services),
    })
  return [
    route({
      ...common,
      endpoint: 'GET /api/health/live',
      summary: 'Check that the process responds, whatever the state of its database',
      responses: { 200: { description: 'The process responds.', schema: Health } },
      handle: async () => json(200, { status: 'ok' }),
    }),
    readiness('/api/health/ready'),
    readiness('/api/health'),
    route({
      ...common,
      endpoint: 'GET /api/version',
      summary: 'Read protocol version, build and limits',
      responses: { 200: { description: 'Protocol version, build and limits.', schema: Version } },
      handle: async () => {
        const signup = await whoCanSignUp(services)
        const { providers, oidcOnly, demo } = services.config
        const sign_in = { password: !oidcOnly, providers: providers.map(({ id, label }) => ({ id, label })) }
        const mail = services.mailer.isOn
        return json(200, {
          protocol: PROTOCOL_VERSION,
          build: services.build,
          signup,
          sign_in,
          demo,
          mail,
          limits: wireLimits,
        })
      },
    }),
    route({
      ...common,
      endpoint: 'GET /api/openapi.json',
      summary: 'Read this document',
      responses: { 200: { description: 'OpenAPI 3.1.', schema: v.looseObject({ openapi: v.string() }) } },
      handle: async () => document(),
    }),
    route({
      ...common,
      endpoint: 'GET /api/docs',
      summary: 'Try out the API',
      responses: { 200: { description: 'A page.', contentType: 'text/html' } },
      handle: async () => apiPage,
    }),
    route({
      ...common,
      endpoint: 'GET /api/docs/{asset}',
      summary: 'Load a file of the API page',
      params: v.object({ asset: v.picklist(pageAssets) }),
      responses: { 200: { description: 'A style sheet or script.', contentType: '*/*' } },
      handle: ({ params }) => pageAsset(params.asset),
    }),
  ]
}

/** Returns the response with the document of the routes. */
export function openApiResponse(routes: readonly Route[]): RouteResponse {
  return fixed(JSON.stringify(openApiDocument(routes)))
}

async function readinessOf({ users, storage, log, isStopping }: RouteContext): Promise<RouteResponse> {
  const notReady = (detail: string) =>
    responseOfProblem(new ProblemError('unavailable', detail, { headers: { 'retry-after': '5' } }))
  if (isStopping()) return notReady('The service is stopping.')
  try {
    await users.hasAny()
    if (!(await storage.isWritable())) return notReady('There is no space left for the database: writes fail.')
    return json(200, { status: 'ok' })
  } catch (error) {
    log.debug({ err: error }, 'not ready')
    return notReady('The database does not respond.')
  }
}

/** Returns the files of the API page, each read once, however many ask for it at the same time. */
function pageAssetReader(): (name: (typeof pageAssets)[number]) => Promise<RouteResponse> {
  const responsesByName = new Map<string, Promise<RouteResponse>>()
  return (name) => {
    const response = responsesByName.get(name) ?? readPageAsset(name)
    responsesByName.set(name, response)
    // One that could not be read is read again.
    response.catch(() => responsesByName.delete(name))
    return response
  }
}

async function readPageAsset(name: (typeof pageAssets)[number]): Promise<RouteResponse> {
  const type = name.endsWith('.css') ? 'text/css' : 'text/javascript'
  const content = name === 'start.js' ? start : await readFile(join(swaggerUi(), name))
  return fixed(content, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'max-age=3600' })
}

/** Returns the folder of Swagger UI: beside the bundle, or for the sources its package. */
function swaggerUi(): string {
  const bundled = join(import.meta.dirname, 'swagger-ui')
  return existsSync(bundled) ? bundled : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
}

/** Returns a response that stays the same. */
function fixed(content: string | Buffer, headers: Record<string, string> = {}): RouteResponse {
  return { status: 200, body: typeof content === 'string' ? Buffer.from(content) : content, headers }
}
