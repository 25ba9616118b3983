import { generateKeyPairSync, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { CLIENT, type Claims } from './openid-provider.ts'

/** An OpenID provider that signs whatever a test says, which no provider by others does. */
export interface EvilProvider {
  issuer: string
  settings: typeof CLIENT
  authorizationEndpoint: string
  /** Where its sessions end; `undefined` says nothing of it. */
  endSessionEndpoint: string | undefined
  /** Lets a person in who was sent to `url`, and returns the query with which the browser comes back. */
  consent(url: string, claims: Claims): URLSearchParams
}

/** Starts a provider that ends with the test. */
export async function startEvilProvider(): Promise<EvilProvider> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  let idToken = ''
  const server = createServer(({ url }, outgoing) => {
    const documents: Record<string, object> = {
      '/.well-known/openid-configuration': {
        issuer: self.issuer,
        authorization_endpoint: self.authorizationEndpoint,
        end_session_endpoint: self.endSessionEndpoint,
        token_endpoint: `${self.issuer}/token`,
        jwks_uri: `${self.issuer}/jwks`,
        id_token_signing_alg_values_supported: ['ES256'],
      },
      '/jwks': { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'ES256', use: 'sig' }] },
      '/token': { access_token: 'of no use', token_type: 'Bearer', id_token: idToken },
    }
    outgoing.setHeader('content-type', 'application/json')
    outgoing.end(JSON.stringify(documents[url ?? ''] ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const self: EvilProvider = {
    issuer,
    settings: CLIENT,
    authorizationEndpoint: `${issuer}/authorize`,
    endSessionEndpoint: undefined,
    consent(url, claims) {
      const { searchParams } = new URL(url)
      const nowSeconds = Math.floor(Date.now() / 1_000)
      const times = { iat: nowSeconds, exp: nowSeconds + 600 }
      const all = { iss: issuer, aud: CLIENT.clientId, nonce: searchParams.get('nonce'), ...times, ...claims }
      const parts = [{ alg: 'ES256', kid: 'one' }, all].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      )
      const signed = parts.join('.')
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' })
      idToken = `${signed}.${signature.toString('base64url')}`
      return new URLSearchParams({ code: 'any', state: searchParams.get('state') ?? '' })
    },
  }
  return self
}
