import { limits, PROTOCOL_VERSION } from '@saldo/core'
import * as v from 'valibot'
import { openApiDocument } from '../http/openapi.ts'
import { ProblemError, problemAnswer } from '../http/problem.ts'
import { type Answer, json, type Route, route } from '../http/route.ts'
import { apiPage, homePage, pageAsset, pageAssets } from './pages.ts'
import type { Services } from './services.ts'

const whole = v.pipe(v.number(), v.integer())
const Health = v.object({ status: v.literal('ok') })
const Version = v.object({
  protocol: whole,
  build: v.string(),
  signup: v.pipe(
    v.picklist(['first_user', 'open', 'closed']),
    v.metadata({ description: '`first_user` needs the set-up code.' }),
  ),
  limits: v.object(Object.fromEntries(Object.keys(limits).map((name) => [name, whole]))),
})

/** What the service says of itself: health, version, the API's document and its page. */
export function metaRoutes(
  { users, config, log, isStopping }: Services,
  build: string,
  allRoutes: () => readonly Route[],
): Route[] {
  const common = { tag: 'service', access: 'public' as const, method: 'GET' as const }
  const page = (text: string, policy: string) => ({
    status: 200,
    body: text,
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy },
  })
  const ok = json(200, { status: 'ok' })
  const notReady = (detail: string) =>
    problemAnswer(new ProblemError('unavailable', detail, { headers: { 'retry-after': '5' } }))
  const readiness = (path: string) =>
    route(
      {
        ...common,
        path,
        summary: 'Whether the service takes requests',
        answers: { 200: { description: 'It takes requests, and its database answers.', schema: Health } },
        problems: ['unavailable'],
      },
      async () => {
        if (isStopping()) return notReady('The service is stopping.')
        try {
          await users.hasAny()
          return ok
        } catch (error) {
          log.debug({ err: error }, 'not ready')
          return notReady('The database does not answer.')
        }
      },
    )
  let document: Answer | undefined
  return [
    route(
      {
        ...common,
        path: '/api/health/live',
        summary: 'Whether the process lives, whatever its database does',
        answers: { 200: { description: 'It does.', schema: Health } },
      },
      async () => ok,
    ),
    readiness('/api/health/ready'),
    readiness('/api/health'),
    route(
      {
        ...common,
        path: '/api/version',
        summary: 'Protocol, build and limits',
        answers: { 200: { description: 'What runs here.', schema: Version } },
      },
      async () => {
        const first = config.signup !== 'closed' && !(await users.hasAny())
        const signup = first ? 'first_user' : config.signup === 'open' ? 'open' : 'closed'
        return json(200, { protocol: PROTOCOL_VERSION, build, signup, limits })
      },
    ),
    route(
      {
        ...common,
        path: '/api/openapi.json',
        summary: 'This document',
        answers: { 200: { description: 'OpenAPI 3.1.', schema: v.looseObject({ openapi: v.string() }) } },
      },
      async () => {
        document ??= json(200, openApiDocument(allRoutes()))
        return document
      },
    ),
    route(
      {
        ...common,
        path: '/api/docs',
        summary: 'The API as a page',
        answers: { 200: { description: 'A page.', contentType: 'text/html' } },
      },
      async () => page(apiPage.html, apiPage.policy),
    ),
    route(
      {
        ...common,
        path: '/api/docs/{asset}',
        summary: 'A part of the API page',
        params: v.object({ asset: v.picklist(pageAssets) }),
        answers: { 200: { description: 'A style sheet or a script.', contentType: '*/*' } },
      },
      ({ params }) => pageAsset(params.asset),
    ),
    route(
      {
        ...common,
        path: '/',
        summary: 'What this is',
        answers: { 200: { description: 'A page.', contentType: 'text/html' } },
      },
      async () => page(homePage.html, homePage.policy),
    ),
  ]
}
