import { DAY_MS, HOUR_MS, MINUTE_MS } from '@saldo/core'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import type { Config, ProviderSettings } from '../../src/env.ts'
import { systemRandom } from '../../src/system.ts'
import { userParts } from '../../src/users/user-parts.ts'
import { sessionLimits } from '../../src/users/web-sessions.ts'
import { startTestService, type TestService } from '../harness.ts'
import { type Browser, openBrowser, PASSWORD, signUp } from './browser.ts'
import { startEvilProvider } from './evil-provider.ts'
import { CLIENT, type Claims, startProvider, type TestProvider } from './openid-provider.ts'

const PUBLIC = 'https://saldo.example'
const redirectUri = (id: string) => `${PUBLIC}/api/auth/oidc/${id}/callback`
const ADA = 'ada@example.com'

/** A second one, whose ID tokens have all claims. */
const provider = await startProvider({ redirectUris: [redirectUri('1')], postLogoutRedirectUris: [`${PUBLIC}/`] })
const other = await startProvider({ redirectUris: [redirectUri('2')], isInIdToken: true })
afterAll(() => Promise.all([provider.close(), other.close()]))

function settingsOf(id: string, of: TestProvider, more: Partial<ProviderSettings> = {}): ProviderSettings {
  return {
    ...{ id, issuer: of.issuer, ...CLIENT, label: 'Example', scope: 'openid email profile' },
    ...{ domains: ['example.com'], linking: true, verifiedClaim: 'email_verified', groupsClaim: 'groups' },
    ...{ adminGroup: undefined, ...more },
  }
}

/** A service with a first user, who is an admin, and a provider; the clock begins with the computer's. */
async function start(more: Partial<ProviderSettings> = {}, config: Partial<Config> = {}) {
  const providers = [settingsOf('1', provider, more), settingsOf('2', other, more)]
  const options = { publicUrl: PUBLIC, providers, ...config }
  const service = await startTestService({ now: new Date().toISOString(), config: options })
  onTestFinished(() => service.close())
  const admin = config.oidcOnly ? undefined : await signUp(service, 'admin@example.com')
  return { service, admin: admin as Browser }
}

const verified = (email: string, claims: Claims = {}): Claims => ({ email, email_verified: true, ...claims })

interface Steps {
  browser?: Browser
  id?: string
  json?: object
  /** Changes the address of the provider, or the one that it sends the browser back to. */
  leave?: (url: URL) => void
  comeBack?: (url: URL) => void
}

let subjects = 0

/** Adds an account at both providers, and returns its subject. */
function account(claims: Claims): string {
  subjects += 1
  const subject = `subject-${subjects}`
  for (const each of [provider, other]) each.accounts.set(subject, claims)
  return subject
}

/** Signs in at the provider as a browser does, and returns where the browser is then. */
async function signIn(service: TestService, subject: string, steps: Steps = {}) {
  const { browser = openBrowser(service), id = '1', json, leave = () => {}, comeBack = () => {} } = steps
  const begun = await browser.call('POST', `/api/auth/oidc/${id}`, { json: { return_to: '/week?x=1', ...json } })
  expect([begun.status, begun.text]).toEqual([200, expect.any(String)])
  const url = new URL(begun.body.url)
  leave(url)
  const back = await (id === '1' ? provider : other).signIn(url.href, subject)
  expect(`${back.origin}${back.pathname}`).toBe(redirectUri(id))
  comeBack(back)
  const path = back.pathname + back.search
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  // From another site, a browser sends no origin.
  const answer = await browser.call('GET', path, { headers: { origin: '', cookie, 'sec-fetch-site': 'cross-site' } })
  expect([answer.status, answer.text]).toEqual([303, ''])
  const me = await browser.call('GET', '/api/me')
  return { browser, url, path, cookie, location: answer.headers.get('location'), user: me.body, setCookies: answer }
}

/** Lets the admin vouch for the address of a user, and returns the number of the user. */
async function confirmed(admin: Browser, of: Browser): Promise<number> {
  const { user_id, email } = (await of.call('GET', '/api/me')).body
  const changed = await admin.call('PATCH', `/api/admin/users/${user_id}`, { json: { email, password: PASSWORD } })
  expect(changed.body).toMatchObject({ user_id, email, email_confirmed: true })
  return user_id as number
}

const failed = (reason: string, at = '/week?x=1') => `${at}#sign-in-failed=${reason}`

test('[D20.1] a browser signs in at the provider with PKCE, state and nonce, and comes back to its view', async () => {
  const { service } = await start()
  const subject = account(verified(ADA, { name: 'Ada Lovelace' }))
  const { url, location, user, browser } = await signIn(service, subject)
  expect(location).toBe('/week?x=1')
  expect(user).toMatchObject({ email: ADA, name: 'Ada Lovelace', role: 'user' })
  const query = Object.fromEntries(url.searchParams)
  expect(query).toEqual({
    client_id: 'saldo',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: redirectUri('1'),
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect([...browser.cookies.keys()]).toEqual(['__Host-saldo.session_token'])
  const again = await signIn(service, subject)
  expect(again.user.user_id).toBe(user.user_id)
  expect(again.url.searchParams.get('state')).not.toBe(query.state)
  const exported = (await browser.call('GET', '/api/me/export')).body.user
  expect(exported.identities).toEqual([
    { issuer: provider.issuer, subject, created_at: expect.stringMatching(/^2\d{3}-/) },
  ])
})

test('[D20.2] a sign-in ends once, in its browser, within 15 minutes and at its own provider', async () => {
  const { service } = await start()
  const subject = account(verified(ADA))
  const { path, cookie } = await signIn(service, subject)
  const comeBack = async (browser: Browser, address = path, headers = {}) =>
    (await browser.call('GET', address, { headers })).headers.get('location')
  // Replayed, with the cookie that it had; and in the browser of somebody else.
  expect(await comeBack(openBrowser(service), path, { cookie })).toBe(failed('expired'))
  expect(await comeBack(openBrowser(service))).toBe(failed('expired', '/'))
  const wrongState = await signIn(service, subject, {
    comeBack: (url) => url.searchParams.set('state', 'x'.repeat(43)),
  })
  expect([wrongState.location, wrongState.user.code]).toEqual([failed('expired', '/'), 'unauthenticated'])
  const late = await signIn(service, subject, { comeBack: () => service.clock.advance(15 * MINUTE_MS) })
  expect(late.location).toBe(failed('expired'))
  const mixedUp = await signIn(service, subject, {
    comeBack: (url) => {
      url.pathname = '/api/auth/oidc/2/callback'
    },
  })
  expect(mixedUp.location).toBe(failed('expired'))
})

test('[D20.3] an answer of the provider counts only with the right issuer, nonce, code and signature', async () => {
  const { service } = await start()
  const subject = account(verified(ADA))
  const wrong: Steps[] = [
    { comeBack: (url) => url.searchParams.set('iss', other.issuer) },
    { comeBack: (url) => url.searchParams.delete('iss') },
    { comeBack: (url) => url.searchParams.set('code', 'guessed') },
    { leave: (url) => url.searchParams.set('nonce', 'of somebody else') },
    { leave: (url) => url.searchParams.set('code_challenge', 'x'.repeat(43)) },
  ]
  for (const steps of wrong) {
    const { location, user } = await signIn(service, subject, steps)
    expect([location, user.code]).toEqual([failed('failed'), 'unauthenticated'])
  }
  provider.hasOtherKeys = true
  const forged = await signIn(service, subject)
  provider.hasOtherKeys = false
  expect([forged.location, forged.user.code]).toEqual([failed('failed'), 'unauthenticated'])
  const details = service.log.filter(({ message }) => message === 'sign-in refused').map(({ fields }) => fields)
  expect(details).toHaveLength(wrong.length + 1)
  expect(details[3]).toMatchObject({ reason: 'failed', provider: '1', detail: expect.stringContaining('nonce') })
  const refused = await signIn(service, subject, {
    comeBack: (url) => {
      url.search = new URLSearchParams({
        error: 'access_denied',
        state: url.searchParams.get('state') ?? '',
        iss: provider.issuer,
      }).toString()
    },
  })
  expect(refused.location).toBe(failed('cancelled'))
})

test('[D20.3] claims of the signed ID token win over those of the userinfo endpoint', async () => {
  const { service } = await start({ adminGroup: 'admins' })
  // Without a name, the ID token is not complete.
  const subject = account(verified(ADA, { groups: ['staff'] }))
  other.userInfos.set(subject, verified('eve@example.com', { name: 'Ada Lovelace', groups: ['admins'] }))
  const { user } = await signIn(service, subject, { id: '2' })
  expect(user).toMatchObject({ email: ADA, name: 'Ada Lovelace', role: 'user' })
})

test('[D20.16] the address and its verification come from one document of the provider', async () => {
  const { service } = await start({ domains: ['example.com'] })
  const signInWith = async (idToken: Claims, userInfo: Claims) => {
    const subject = account(idToken)
    other.userInfos.set(subject, userInfo)
    const { location, user } = await signIn(service, subject, { id: '2' })
    return [location, user.email]
  }
  const eve = verified('eve@example.com', { name: 'Eve' })
  expect(await signInWith({ email: 'ceo@example.com' }, eve)).toEqual(['/week?x=1', 'eve@example.com'])
  const refused = [failed('unverified'), undefined]
  expect(await signInWith({ email: 'ceo@example.com' }, { email_verified: true, name: 'Eve' })).toEqual(refused)
  expect(await signInWith({ email_verified: true }, { email: 'ceo@example.com', name: 'Eve' })).toEqual(refused)
  expect(await signInWith({ email: 'ceo@example.com', email_verified: false }, eve)).toEqual(refused)
})

test('[D20.3] an ID token without a subject signs nobody in', async () => {
  const evil = await startEvilProvider()
  const { service } = await start({ ...evil.settings, issuer: evil.issuer })
  const comeBack = async (sub: unknown) => {
    const browser = openBrowser(service)
    const { url } = (await browser.call('POST', '/api/auth/oidc/1', { json: { return_to: '/' } })).body
    const query = evil.consent(url, verified(`${String(sub)}e@example.com`, { sub, name: 'Eve' }))
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await browser.call('GET', `/api/auth/oidc/1/callback?${query}`, { headers: { cookie } })
    return answer.headers.get('location')
  }
  expect(await comeBack('eve')).toBe('/')
  for (const sub of ['', 0, null, undefined]) expect(await comeBack(sub), String(sub)).toBe(failed('failed', '/'))
})

test('[D20.14] an authorization endpoint that is no web address makes the provider unavailable', async () => {
  const evil = await startEvilProvider()
  const { service } = await start({ ...evil.settings, issuer: evil.issuer })
  for (const endpoint of ['javascript:alert(1)', 'data:text/html,x', 'mailto:eve@example.com', 'no address']) {
    evil.authorizationEndpoint = endpoint
    const { status, body } = await openBrowser(service).call('POST', '/api/auth/oidc/1', { json: { return_to: '/' } })
    expect([endpoint, status, body.code]).toEqual([endpoint, 503, 'unavailable'])
  }
})

test('[D20.14] an address for signing out that is no web address signs nobody in', async () => {
  const evil = await startEvilProvider()
  const { service } = await start({ ...evil.settings, issuer: evil.issuer })
  evil.endSessionEndpoint = 'javascript:alert(1)'
  const browser = openBrowser(service)
  const { url } = (await browser.call('POST', '/api/auth/oidc/1', { json: { return_to: '/' } })).body
  const query = evil.consent(url, verified('eve@example.com', { sub: 'eve', name: 'Eve' }))
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await browser.call('GET', `/api/auth/oidc/1/callback?${query}`, { headers: { cookie } })
  expect(answer.headers.get('location')).toBe(failed('failed', '/'))
})

test('[D20.14] keys may change, clocks differ by a minute, and sessions outlast the provider', async () => {
  const { service, admin } = await start()
  const subject = account(verified(ADA))
  const { browser } = await signIn(service, subject)
  provider.rotateKeys()
  expect((await signIn(service, subject)).user.email).toBe(ADA)
  // The ID token is valid for an hour.
  const behind = HOUR_MS + 30_000
  const skewed = await signIn(service, subject, { leave: () => service.clock.advance(behind - 20 * MINUTE_MS) })
  expect(skewed.location).toBe(failed('expired'))
  expect((await signIn(service, subject)).user.email).toBe(ADA)
  service.clock.advance(20 * MINUTE_MS)
  expect((await signIn(service, subject)).user.email).toBe(ADA)
  service.clock.advance(2 * MINUTE_MS)
  expect((await signIn(service, subject)).location).toBe(failed('failed'))

  provider.isDown = true
  const down = await openBrowser(service).call('POST', '/api/auth/oidc/1', { json: { return_to: '/' } })
  expect([down.status, down.body.code, down.headers.get('retry-after')]).toEqual([503, 'unavailable', '30'])
  // Whoever is signed in goes on.
  expect((await browser.call('GET', '/api/sync/pull?since=0')).status).toBe(200)
  expect((await admin.call('GET', '/api/me')).status).toBe(200)
  provider.isDown = false
  service.clock.set(new Date().toISOString())
  expect(
    (
      await signIn(service, subject, {
        comeBack: () => {
          provider.isDown = true
        },
      })
    ).location,
  ).toBe(failed('failed'))
  provider.isDown = false
})

test('[D20.4] an account is found by issuer and subject, whatever the address is later', async () => {
  const { service } = await start()
  const subject = account(verified(ADA))
  const { user } = await signIn(service, subject)
  provider.accounts.set(subject, { email: 'ada@elsewhere.example', email_verified: false })
  const later = await signIn(service, subject)
  expect([later.user.user_id, later.user.email]).toEqual([user.user_id, ADA])
  // The same subject at another provider is somebody else, whose address is taken only where linking is off.
  other.accounts.set(subject, verified('eve@example.com'))
  expect((await signIn(service, subject, { id: '2' })).user.email).toBe('eve@example.com')
})

test('[D20.5] a new user needs a verified address in an allowed domain', async () => {
  const { service } = await start()
  const refusals: [Claims, string][] = [
    [{ email: ADA }, 'unverified'],
    [{ email: ADA, email_verified: false }, 'unverified'],
    [{ email: ADA, email_verified: 'no' }, 'unverified'],
    [{ email_verified: true }, 'unverified'],
    [{ email: 'no address', email_verified: true }, 'unverified'],
    // Letters that fold to ASCII: the Kelvin sign, the long s, and a dotted capital I.
    [verified('\u212Aim@example.com'), 'unverified'],
    [verified('\u017Fam@example.com'), 'unverified'],
    [verified('k\u0130m@example.com'), 'unverified'],
    [verified('ada@sub.example.com'), 'domain'],
    [verified('ada@example.com.evil.example'), 'domain'],
    [verified('ada@notexample.com'), 'domain'],
  ]
  for (const [claims, reason] of refusals) {
    const { location, user } = await signIn(service, account(claims), { id: '2' })
    expect([location, user.code], JSON.stringify(claims)).toEqual([failed(reason), 'unauthenticated'])
  }
  const { user } = await signIn(service, account(verified('Ada@EXAMPLE.com', { name: ' \n' })), { id: '2' })
  expect(user).toMatchObject({ email: ADA, name: 'ada' })
  const { service: entra } = await start({ verifiedClaim: 'xms_edov' })
  const claims = { email: ADA, email_verified: true, xms_edov: '0' }
  expect((await signIn(entra, account(claims), { id: '2' })).location).toBe(failed('unverified'))
})

test('[D20.6] an account is linked by a verified address, where allowed, and once for each provider', async () => {
  const { service, admin } = await start({ domains: undefined })
  const user_id = await confirmed(admin, await signUp(service, 'grace@example.com'))
  const unverified = await signIn(service, account({ email: 'grace@example.com' }))
  expect(unverified.location).toBe(failed('unverified'))
  const linked = await signIn(service, account(verified('grace@example.com')))
  expect([linked.location, linked.user.user_id]).toEqual(['/week?x=1', user_id])
  // A second account at the provider with the same address, perhaps of a person who got it later.
  expect((await signIn(service, account(verified('grace@example.com')))).location).toBe(failed('taken'))
  expect((await signIn(service, account(verified('grace@example.com')), { id: '2' })).user.user_id).toBe(user_id)

  const { service: strict, admin: own } = await start({ linking: false })
  const taken = await signIn(strict, account(verified('admin@example.com')))
  expect([taken.location, taken.user.code]).toEqual([failed('taken'), 'unauthenticated'])
  expect((await own.call('GET', '/api/me')).status).toBe(200)
})

test('[D20.7] linking revokes the password, sessions and tokens of whoever had the account', async () => {
  const { service, admin } = await start()
  const early = await signUp(service, 'victim@example.com')
  await confirmed(admin, early)
  const token = (await early.call('POST', '/api/me/tokens', { json: { name: 'cron', password: PASSWORD } })).body.token
  const { user } = await signIn(service, account(verified('victim@example.com')))
  expect(user.email).toBe('victim@example.com')
  expect((await early.call('GET', '/api/me')).status).toBe(401)
  expect((await service.call('GET', '/api/me', { token })).status).toBe(401)
  const json = { email: 'victim@example.com', password: PASSWORD }
  expect((await openBrowser(service).call('POST', '/api/auth/sign-in', { json })).status).toBe(401)
})

test('[D20.7] a second provider that is linked takes the place of the first', async () => {
  const { service, admin } = await start()
  const user_id = await confirmed(admin, await signUp(service, 'grace@example.com'))
  const subject = account(verified('grace@example.com'))
  const first = await signIn(service, subject)
  const second = await signIn(service, account(verified('grace@example.com')), { id: '2' })
  expect([first.user.user_id, second.user.user_id]).toEqual([user_id, user_id])
  expect((await first.browser.call('GET', '/api/me')).status).toBe(401)
  const { identities } = (await second.browser.call('GET', '/api/me/export')).body.user
  expect(identities).toMatchObject([{ issuer: other.issuer }])
})

test('[D20.7] no sign-in at a provider outlives the linking that takes its place meanwhile', async () => {
  const { service } = await start()
  const subject = account(verified(ADA))
  const first = await signIn(service, subject)
  const stores = await service.openBeside()
  onTestFinished(() => stores.close())
  const options = { ...stores, clock: service.clock, random: systemRandom, publicUrl: PUBLIC }
  const parts = userParts({
    ...options,
    secret: 'signs nothing here'.repeat(2),
    providers: [settingsOf('1', provider)],
  })
  const browser = openBrowser(service)
  const { url } = (await browser.call('POST', '/api/auth/oidc/1', { json: { return_to: '/' } })).body
  const back = await provider.signIn(url, subject)
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const admit = parts.company.identities.admit.bind(parts.company.identities)
  parts.company.identities.admit = async (...given) => {
    const admitted = await admit(...given)
    // The second provider takes the place of the first once this sign-in is admitted.
    expect((await signIn(service, subject, { id: '2' })).user.user_id).toBe(first.user.user_id)
    return admitted
  }
  const done = await parts.signIn.atCompany(settingsOf('1', provider), Object.fromEntries(back.searchParams), {
    cookie,
  })
  expect(done).toMatchObject({ outcome: 'refused', reason: 'expired' })
  const limits = sessionLimits(service.clock.now())
  expect(await stores.users.sessions(first.user.user_id, limits)).toHaveLength(1)
})

test('[D20.6] an address that nobody has confirmed links no account, and an admin puts it right', async () => {
  const { service, admin } = await start()
  const mallory = await signIn(service, account(verified('mallory@example.com')), { id: '2' })
  expect(mallory.user.email_confirmed).toBe(true)
  const squat = { email: 'victim@example.com', password: '' }
  expect((await mallory.browser.call('POST', '/api/me/email', { json: squat })).body.outcome).toBe('changed')
  const victim = account(verified('victim@example.com', { name: 'Vic' }))
  for (const id of ['1', '2']) expect((await signIn(service, victim, { id })).location).toBe(failed('taken'))
  const stranger = await signUp(service, 'other@example.com')
  const claims = verified('other@example.com')
  expect((await signIn(service, account(claims))).location).toBe(failed('taken'))
  expect((await stranger.call('GET', '/api/me')).body).toMatchObject({ email_confirmed: false })
  // The one who took the address keeps the account, under the right address.
  const { user_id } = mallory.user
  const json = { email: 'mallory@example.com', password: PASSWORD }
  expect((await admin.call('PATCH', `/api/admin/users/${user_id}`, { json })).status).toBe(200)
  const { user } = await signIn(service, victim)
  expect(user).toMatchObject({ email: 'victim@example.com', name: 'Vic', email_confirmed: true })
  expect(user.user_id).not.toBe(user_id)
})

test('[D8.40] a provider that has verified the address of its user confirms it', async () => {
  const { service } = await start()
  const subject = account(verified(ADA))
  const { browser } = await signIn(service, subject)
  const json = { email: 'lovelace@example.com', password: '' }
  expect((await browser.call('POST', '/api/me/email', { json })).body.outcome).toBe('changed')
  const confirmedWith = async (claims: Claims) => {
    provider.accounts.set(subject, claims)
    return (await signIn(service, subject)).user.email_confirmed
  }
  expect(await confirmedWith(verified(ADA))).toBe(false)
  expect(await confirmedWith({ email: 'lovelace@example.com', email_verified: false })).toBe(false)
  expect(await confirmedWith(verified('lovelace@example.com'))).toBe(true)
})

test('[D20.8] a deactivated user is refused, and so is another user than the one of the device', async () => {
  const { service, admin } = await start()
  const subject = account(verified(ADA))
  const { user } = await signIn(service, subject)
  const device = await signIn(service, subject, { json: { user_id: user.user_id } })
  expect(device.location).toBe('/week?x=1')
  const stranger = account(verified('eve@example.com'))
  const wrong = await signIn(service, stranger, { browser: device.browser, json: { user_id: user.user_id } })
  // The session of the device is still the one of its user, and the stranger got no account.
  expect([wrong.location, wrong.user.email]).toEqual([failed('other_user'), ADA])
  expect((await admin.call('POST', '/api/admin/user-search', { json: {} })).body.count).toBe(2)
  await admin.call('PATCH', `/api/admin/users/${user.user_id}`, { json: { active: false } })
  const refused = await signIn(service, subject)
  expect([refused.location, refused.user.code]).toEqual([failed('deactivated'), 'unauthenticated'])
  const invited = (
    await admin.call('POST', '/api/admin/users', { json: { email: 'gone@example.com', name: 'G', password: PASSWORD } })
  ).body
  await admin.call('PATCH', `/api/admin/users/${invited.account.user_id}`, { json: { active: false } })
  expect((await signIn(service, account(verified('gone@example.com')))).location).toBe(failed('deactivated'))
})

test('[D20.9] members of the group of admins are admins at each sign-in, and the last admin stays one', async () => {
  const { service, admin } = await start({ adminGroup: 'saldo-admins' })
  const subject = account(verified(ADA, { groups: ['staff', 'saldo-admins'] }))
  expect((await signIn(service, subject)).user.role).toBe('admin')
  provider.accounts.set(subject, verified(ADA, { groups: ['staff'] }))
  expect((await signIn(service, subject)).user.role).toBe('user')
  provider.accounts.set(subject, verified(ADA, { groups: 'saldo-admins' }))
  expect((await signIn(service, subject)).user.role).toBe('admin')
  const own = (await admin.call('GET', '/api/me')).body.user_id
  await admin.call('PATCH', `/api/admin/users/${own}`, { json: { role: 'user', password: PASSWORD } })
  provider.accounts.set(subject, verified(ADA))
  expect((await signIn(service, subject)).user.role).toBe('admin')
  // Each change is in the log as the provider's, and a sign-in that changes nothing is none (D19.26).
  const acts = service.log.flatMap(({ fields }) => ('by' in fields && fields.by === 'provider' ? [fields] : []))
  expect(acts).toMatchObject([{ act: 'make_admin' }, { act: 'make_user' }, { act: 'make_admin' }])
})

test('[D20.10] company sign-in only: no passwords, no sign-up, and the first user is of the admins', async () => {
  const { service } = await start({ adminGroup: 'admins' }, { oidcOnly: true, signup: 'first' })
  const facts = (await service.call('GET', '/api/version')).body
  expect([facts.signup, facts.sign_in]).toEqual([
    'closed',
    {
      password: false,
      providers: [
        { id: '1', label: 'Example' },
        { id: '2', label: 'Example' },
      ],
    },
  ])
  expect(service.service.setupCode).toBeUndefined()
  const refusals: [string, object][] = [
    ['sign-up', { email: ADA, name: 'Ada', password: PASSWORD }],
    ['sign-in', { email: ADA, password: PASSWORD }],
    ['link', { secret: 'x' }],
    ['link/password', { secret: 'x', password: PASSWORD }],
  ]
  for (const [path, json] of refusals) {
    expect((await openBrowser(service).call('POST', `/api/auth/${path}`, { json })).status, path).toBe(403)
  }
  expect((await signIn(service, account(verified(ADA)))).location).toBe(failed('not_set_up'))
  const first = await signIn(service, account(verified(ADA, { groups: ['admins'] })))
  expect(first.user).toMatchObject({ email: ADA, role: 'admin' })
  expect((await signIn(service, account(verified('bob@example.com')))).user.role).toBe('user')
})

test('[D20.11] the browser returns to a path of the app only, and other pages begin no sign-in', async () => {
  const { service } = await start()
  const begin = (json: object, headers = {}, id = '1') =>
    openBrowser(service).call('POST', `/api/auth/oidc/${id}`, { json, headers, skipContractCheck: true })
  for (const return_to of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%09//evil.example'.replace('%09', '\t'),
    'week',
    '/week#x',
    '/api/me',
    '/x/../api/me',
    `/${'x'.repeat(1_000)}`,
  ]) {
    expect((await begin({ return_to })).status, return_to).toBe(400)
  }
  expect((await begin({ return_to: '/' }, { origin: 'https://evil.example' })).status).toBe(403)
  expect((await begin({ return_to: '/' }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await begin({ return_to: '/' }, {}, '3')).status).toBe(404)
  const cookie = (await begin({ return_to: '/' })).headers.getSetCookie()[0]
  expect(cookie).toMatch(/^__Host-saldo\.company_sign_in=.*; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
})

test('[D20.12] signing out says where the session of the provider is ended, if it offers that', async () => {
  const { service, admin } = await start()
  const { browser } = await signIn(service, account(verified(ADA)))
  const out = await browser.call('POST', '/api/auth/sign-out')
  expect(out.status).toBe(200)
  const url = new URL(out.body.provider_sign_out_url)
  expect([url.origin, url.searchParams.get('client_id'), url.searchParams.get('post_logout_redirect_uri')]).toEqual([
    provider.issuer,
    'saldo',
    `${PUBLIC}/`,
  ])
  expect((await fetch(url, { redirect: 'manual' })).status).toBe(200)
  expect((await browser.call('GET', '/api/me')).status).toBe(401)
  expect((await admin.call('POST', '/api/auth/sign-out')).status).toBe(204)
})

test('[D20.15] without a password, a sign-in of the last ten minutes confirms what needs it', async () => {
  const { service } = await start()
  const subject = account(verified(ADA))
  const { browser, user } = await signIn(service, subject)
  expect(user.has_password).toBe(false)
  const token = { name: 'cron' }
  expect((await browser.call('POST', '/api/me/tokens', { json: token })).status).toBe(201)
  service.clock.advance(10 * MINUTE_MS)
  const refused = [
    await browser.call('POST', '/api/me/tokens', { json: token }),
    await browser.call('POST', '/api/me/tokens', { json: { ...token, password: PASSWORD } }),
    await browser.call('POST', '/api/me/passkey-options', { json: {}, skipContractCheck: true }),
  ]
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
    [403, 'forbidden'],
    [403, 'forbidden'],
    [403, 'forbidden'],
  ])
  const { browser: later } = await signIn(service, subject, { browser })
  const etag = (await later.call('GET', '/api/me/export')).headers.get('etag') ?? ''
  const headers = { 'if-match': etag }
  expect((await later.call('DELETE', '/api/me', { json: {}, headers })).status).toBe(204)
  const withPassword = await signUp(service, 'grace@example.com')
  expect((await withPassword.call('POST', '/api/me/tokens', { json: token })).status).toBe(400)
})

test('[D8.16] a session of company sign-in ends as any other', async () => {
  const { service } = await start()
  const { browser } = await signIn(service, account(verified(ADA)))
  service.clock.advance(59 * DAY_MS)
  expect((await browser.call('GET', '/api/me')).status).toBe(200)
  service.clock.advance(61 * DAY_MS)
  expect((await browser.call('GET', '/api/me')).status).toBe(401)
})
