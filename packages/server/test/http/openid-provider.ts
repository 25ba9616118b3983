import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Configuration, Provider } from 'oidc-provider'

export const CLIENT = { clientId: 'saldo', clientSecret: 'the secret of the client of the tests' }

/** The claims of an account at the provider, beside its subject. */
export type Claims = Record<string, unknown>

/** An OpenID provider by others (`oidc-provider`), in this process and on a real socket. */
export interface TestProvider {
  issuer: string
  /** The accounts by subject, which tests change. */
  accounts: Map<string, Claims>
  /** The claims of the userinfo endpoint, by subject, where they differ. */
  userInfos: Map<string, Claims>
  /** Does what a browser of a person does who signs in with an account: returns where the provider sends it back. */
  signIn(url: string, subject: string): Promise<URL>
  /** Replaces the keys that sign tokens. */
  rotateKeys(): void
  /** True while the provider publishes keys with which it does not sign. */
  hasOtherKeys: boolean
  /** True while the provider answers nothing but errors. */
  isDown: boolean
  close(): Promise<void>
}

export interface TestProviderOptions {
  redirectUris: string[]
  postLogoutRedirectUris?: string[]
  /** Claims in the ID token itself, as many providers have them. */
  isInIdToken?: boolean
}

export async function startProvider(options: TestProviderOptions): Promise<TestProvider> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const accounts = new Map<string, Claims>()
  const userInfos = new Map<string, Claims>()
  const make = () => providerOf(issuer, accounts, userInfos, options)
  let provider = make()
  const forger = make()
  const self: TestProvider = {
    issuer,
    accounts,
    userInfos,
    hasOtherKeys: false,
    isDown: false,
    signIn: (url, subject) => signInAt(issuer, url, subject),
    rotateKeys() {
      provider = make()
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  const answer: RequestListener = (incoming, outgoing) => void respond(incoming, outgoing)
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (self.isDown) {
      outgoing.writeHead(503).end()
    } else if (self.hasOtherKeys && incoming.url === '/jwks') {
      await forger.callback()(incoming, outgoing)
    } else if (!incoming.url?.startsWith('/interaction/')) {
      await provider.callback()(incoming, outgoing)
    } else if (incoming.method === 'GET') {
      const button = (subject: string) => `<button name="subject" value="${subject}">Continue as ${subject}</button>`
      outgoing.setHeader('content-type', 'text/html')
      // A whole browser would ask for an icon, and log that there is none.
      const head = '<!doctype html><link rel="icon" href="data:,">'
      outgoing.end(`${head}<form method="post">${[...accounts.keys()].map(button).join('')}</form>`)
    } else {
      const accountId = new URLSearchParams(await text(incoming)).get('subject') ?? ''
      await provider.interactionFinished(incoming, outgoing, { login: { accountId } })
    }
  }
  server.on('request', answer)
  return self
}

function providerOf(
  issuer: string,
  accounts: ReadonlyMap<string, Claims>,
  userInfos: ReadonlyMap<string, Claims>,
  { redirectUris, postLogoutRedirectUris = [], isInIdToken = false }: TestProviderOptions,
): Provider {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const configuration: Configuration = {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: redirectUris,
        post_logout_redirect_uris: postLogoutRedirectUris,
        id_token_signed_response_alg: 'ES256',
      },
    ],
    jwks: { keys: [privateKey.export({ format: 'jwk' })] },
    cookies: { keys: ['the provider’s own'] },
    // Without these, the provider notices on the console that it has its own.
    ttl: { AccessToken: 3_600, Grant: 3_600, IdToken: 3_600, Interaction: 3_600, Session: 3_600 },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    conformIdTokenClaims: !isInIdToken,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: (use) => {
        const own = use === 'userinfo' ? userInfos.get(accountId) : undefined
        return Promise.resolve({ sub: accountId, ...(own ?? accounts.get(accountId)) })
      },
    }),
    // Nobody is asked for a consent.
    async loadExistingGrant(ctx) {
      const grant = new ctx.oidc.provider.Grant({
        ...(ctx.oidc.client && { clientId: ctx.oidc.client.clientId }),
        ...(ctx.oidc.session?.accountId && { accountId: ctx.oidc.session.accountId }),
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  }
  return new Provider(issuer, configuration)
}

/** Follows redirects with cookies, and answers the form. */
async function signInAt(issuer: string, url: string, subject: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let next = new URL(url)
  let form: string | undefined
  while (next.origin === issuer) {
    const response = await fetch(next, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form !== undefined && { method: 'POST', body: new URLSearchParams({ subject: form }) }),
    })
    form = undefined
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const body = await response.text()
    const location = response.headers.get('location')
    if (location !== null) next = new URL(location, next)
    else if (body.includes('<form')) form = subject
    else throw new Error(`the provider answered ${response.status}: ${body}`)
  }
  return next
}
