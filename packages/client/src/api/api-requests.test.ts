import {
  defaultPolicy,
  type JsonObject,
  noMapping,
  type PayrollRun,
  type Problem,
  problemOf,
  type UserNumber,
} from '@saldo/core'
import { expect, test } from 'vitest'
import { RejectedError } from '../engine/errors.ts'
import type { ServiceRequest, ServiceResponse, Transport } from '../host/transport.ts'
import { connectOver } from './connect.ts'
import { OtherUserError } from './errors.ts'
import { userAccountOf } from './own-user-account.ts'
import { passkeySignIn, passkeysOf } from './passkeys.ts'
import { NotSignedInError, OfflineError } from './request.ts'
import { secondFactorOf } from './second-factor.ts'
import { teamOf } from './team.ts'
import {
  changeEmail,
  confirmEmail,
  forgotPassword,
  isEmailConfirmed,
  mailConfirmation,
  passwordLink,
  userAccountExists,
  userAccountsOf,
} from './user-accounts.ts'
import { webhooksOf } from './webhooks.ts'

const user = 7 as UserNumber
const payrollRun: PayrollRun = { month: '2026-10', draft: false, leave_out: [] }
const proof = { password: 'secret' }
const credential = { id: 'key' }
const feed = { name: 'Team', projects: null } as never
const token = { name: 'Script', scope: 'read', expires_at: null } as const
const substitution = { from: '2026-12-03', to: '2026-12-08', answer: 'can' } as const
const asked = { kind: 'request', asks: 'absence' } as never
const decision = { digest: 'd', outcome: 'approved', reason: null } as const
const webhook = { url: 'https://example.org', events: ['week.closed'] } as never

const connection = (transport: Transport) => connectOver(transport)
const own = (transport: Transport) => userAccountOf(transport, user, () => {})
const admin = (transport: Transport) => userAccountsOf(user, transport)
const link = (transport: Transport) => passwordLink('s', transport)
const hooks = (transport: Transport) => webhooksOf(user, transport)
const team = (transport: Transport) => teamOf(user, transport)
const factor = (transport: Transport) => secondFactorOf(user, transport)
const passkeys = (transport: Transport) => passkeysOf(user, transport)
const passkey = (transport: Transport) => passkeySignIn(transport)
const me = { user_id: 7, email: 'a@b.c', role: 'admin', has_password: true }
const profile = { name: 'Ada', personnel_number: '1', employer: 'E', email: 'a@b.c', preferences: null }
const items = { items: ['x'] }

/** Calls, the request that each sends, with its body if it has one, and its result for a body of the response. */
const calls: [
  string,
  (transport: Transport) => Promise<unknown>,
  sent?: object | undefined,
  response?: JsonObject,
  result?: unknown,
][] = [
  ['GET /api/version', (to) => connection(to).service(), undefined, { build: 'b' }, { build: 'b' }],
  [
    'GET /api/me',
    (to) => connection(to).me(),
    undefined,
    me,
    { user: 7, email: 'a@b.c', role: 'admin', hasPassword: true },
  ],
  [
    'POST /api/auth/sign-up',
    (to) => connection(to).signUp({ email: 'e', name: 'n', password: 'p', setupCode: 'c' }),
    { email: 'e', name: 'n', password: 'p', setup_code: 'c' },
    me,
    7,
  ],
  [
    'POST /api/auth/sign-up',
    (to) => connection(to).signUp({ email: 'e', name: 'n', password: 'p' }),
    { email: 'e', name: 'n', password: 'p' },
    me,
    7,
  ],
  [
    'POST /api/auth/sign-in',
    (to) => connection(to).signIn({ email: 'e', password: 'p', code: 'c' }),
    { email: 'e', password: 'p', code: 'c' },
    me,
    7,
  ],
  [
    'POST /api/auth/oidc/a%2Fb',
    (to) => connection(to).companySignIn('a/b', { returnTo: '/x', user }),
    { return_to: '/x', user_id: 7 },
    { url: 'u' },
    'u',
  ],
  [
    'POST /api/auth/sign-in',
    (to) => own(to).signIn('e', 'p', 'c'),
    { email: 'e', password: 'p', code: 'c' },
    me,
    undefined,
  ],
  ['POST /api/auth/sign-out', (to) => own(to).signOut(), undefined, { provider_sign_out_url: 'u' }, 'u'],
  [
    'POST /api/me/password',
    (to) => own(to).changePassword('old', 'new'),
    { current_password: 'old', new_password: 'new', keep_tokens: false },
  ],
  [
    'POST /api/me/password',
    (to) => own(to).changePassword('old', 'new', { keepTokens: true }),
    { current_password: 'old', new_password: 'new', keep_tokens: true },
  ],
  ['GET /api/me', (to) => own(to).profile(), undefined, { ...profile, role: 'user' }, profile],
  [
    'PATCH /api/me',
    (to) => own(to).changeProfile({ name: 'Ada' }),
    { name: 'Ada' },
    { ...profile, role: 'x' },
    profile,
  ],
  ['GET /api/me/sessions', (to) => own(to).sessions(), undefined, items, ['x']],
  ['DELETE /api/me/sessions/3', (to) => own(to).endSession(3)],
  ['GET /api/me/tokens', (to) => own(to).tokens(), undefined, items, ['x']],
  ['POST /api/me/tokens', (to) => own(to).createToken(token, proof), { ...token, ...proof }, { token: 't' }, 't'],
  ['DELETE /api/me/tokens/a%2Fb', (to) => own(to).revokeToken('a/b')],
  ['GET /api/me/feeds', (to) => own(to).feeds(), undefined, items, ['x']],
  [
    'POST /api/me/feeds',
    (to) => own(to).createFeed(feed, proof),
    { ...(feed as object), ...proof },
    { path: 'p' },
    'p',
  ],
  ['DELETE /api/me/feeds/a%2Fb', (to) => own(to).revokeFeed('a/b')],
  ['GET /api/me/export', (to) => own(to).export(), undefined, { a: 1 }, { text: '{"a":1}', tag: 'tag' }],
  ['DELETE /api/me', (to) => own(to).deleteAccount('p', { tag: 'tag' }), { password: 'p' }],
  [
    'POST /api/admin/user-search',
    (to) => admin(to).find({ search: 'a b', offset: 20, limit: 10 }),
    { search: 'a b', offset: 20, limit: 10 },
    items,
    items,
  ],
  ['GET /api/admin/service', (to) => admin(to).service(), undefined, items, items],
  [
    'POST /api/admin/users',
    (to) => admin(to).invite({ email: 'e', name: 'n' }, proof),
    { email: 'e', name: 'n', ...proof },
    me,
    me,
  ],
  [
    'POST /api/admin/users/3/link',
    (to) => admin(to).createLink(3, proof),
    { show: false, ...proof },
    { path: 'p' },
    { path: 'p' },
  ],
  [
    'PATCH /api/admin/users/3',
    (to) => admin(to).change(3, { role: 'admin' }, proof),
    { role: 'admin', ...proof },
    me,
    me,
  ],
  ['DELETE /api/admin/users/3/sessions', (to) => admin(to).endSessions(3)],
  ['DELETE /api/admin/users/3', (to) => admin(to).erase(3), undefined, me, me],
  ['POST /api/auth/link', (to) => link(to).read(), { secret: 's' }, me, me],
  ['POST /api/auth/link/password', (to) => link(to).setPassword('p'), { secret: 's', password: 'p' }],
  ['POST /api/auth/forgotten-password', (to) => forgotPassword('e', to), { email: 'e' }],
  ['POST /api/auth/email', (to) => confirmEmail(user, 's', to), { secret: 's' }, me, me],
  ['POST /api/me/email-confirmation', (to) => mailConfirmation(user, to)],
  ['GET /api/me', (to) => isEmailConfirmed(user, to), undefined, { email_confirmed: false }, false],
  ['POST /api/me/email', (to) => changeEmail(user, { email: 'e', ...proof }, to), { email: 'e', ...proof }, me, me],
  ['GET /api/auth/accounts/7', (to) => userAccountExists(user, to), undefined, { exists: false }, false],
  ['GET /api/me', (to) => own(to).team(), undefined, { has_company: false }, undefined],
  ['GET /api/team', (to) => team(to).summary(), undefined, me, me],
  [
    'POST /api/admin/companies',
    (to) => team(to).found({ name: 'Acme', hr: 'a@b.c' }, proof),
    { name: 'Acme', hr: 'a@b.c', ...proof },
    { id: 1 },
    { id: 1 },
  ],
  ['GET /api/me/memberships', (to) => team(to).memberships(), undefined, items, ['x']],
  ['POST /api/me/memberships/3/acceptance', (to) => team(to).accept(3), undefined, me, me],
  ['DELETE /api/me/memberships/3', (to) => team(to).decline(3)],
  ['GET /api/me/visibility', (to) => team(to).visibility(), undefined, me, me],
  [
    'GET /api/team/away?from=2026-11-01&to=2026-11-30&group=2',
    (to) => team(to).away({ from: '2026-11-01', to: '2026-11-30', group: 2, cursor: null }),
    undefined,
    items,
    items,
  ],
  ['GET /api/team/requests/mine', (to) => team(to).ownRequests(), undefined, items, ['x']],
  ['POST /api/team/requests/preview', (to) => team(to).contextOf(asked), asked, me, me],
  [
    'POST /api/team/requests/7/a%2Fb/substitution',
    (to) => team(to).answerAsSubstitute(7, 'a/b', substitution),
    substitution,
  ],
  ['GET /api/team/inbox?cursor=c', (to) => team(to).inbox('c'), undefined, items, items],
  ['GET /api/team/requests/7/a%2Fb', (to) => team(to).requestOf(7, 'a/b'), undefined, me, me],
  ['POST /api/team/requests/7/a%2Fb/decision', (to) => team(to).decide(7, 'a/b', decision), decision],
  [
    'POST /api/team/people-search',
    (to) => team(to).people({ search: 'a b', group: null, state: 'member', cursor: null }),
    { search: 'a b', state: 'member' },
    items,
    items,
  ],
  ['PUT /api/team/people', (to) => team(to).previewPeople([]), { items: [], dry_run: true }, items, ['x']],
  ['PUT /api/team/people', (to) => team(to).putPeople([], proof), { items: [], ...proof }, items, ['x']],
  ['PUT /api/team/people/invitations', (to) => team(to).inviteAgain([3]), { items: [3] }, items, ['x']],
  ['GET /api/team/groups', (to) => team(to).groups(), undefined, items, ['x']],
  ['PUT /api/team/groups', (to) => team(to).putGroups([]), { items: [] }, items, ['x']],
  ['DELETE /api/team/groups/3', (to) => team(to).removeGroup(3)],
  ['GET /api/team/roles', (to) => team(to).roles(), undefined, items, ['x']],
  ['PUT /api/team/roles', (to) => team(to).putRoles([], proof), { items: [], ...proof }, items, ['x']],
  ['POST /api/team/roles/3/confirmation', (to) => team(to).confirmRole(3, proof), proof],
  ['GET /api/team/policy', (to) => team(to).policies(), undefined, items, ['x']],
  ['PUT /api/team/policy', (to) => team(to).putPolicy(defaultPolicy), defaultPolicy, me, me],
  ['GET /api/team/blocks', (to) => team(to).blocks(), undefined, items, ['x']],
  ['PUT /api/team/blocks', (to) => team(to).putBlocks([]), { items: [] }],
  ['GET /api/team/personnel', (to) => team(to).personnel(), undefined, items, ['x']],
  ['PUT /api/team/personnel', (to) => team(to).putPersonnel([]), { items: [] }, items, ['x']],
  ['GET /api/team/mapping', (to) => team(to).payrollMapping(), undefined, me, me],
  ['PUT /api/team/mapping', (to) => team(to).putPayrollMapping(noMapping), noMapping],
  ['GET /api/team/exports', (to) => team(to).payrollFiles(), undefined, items, ['x']],
  ['POST /api/team/exports', (to) => team(to).makePayrollFile(payrollRun), payrollRun, me, me],
  ['GET /api/webhooks', (to) => hooks(to).list(), undefined, items, ['x']],
  [
    'POST /api/webhooks',
    (to) => hooks(to).create(webhook, proof),
    { ...(webhook as object), ...proof },
    { secret: 's' },
    's',
  ],
  ['DELETE /api/webhooks/a%2Fb', (to) => hooks(to).remove('a/b')],
  ['POST /api/webhooks/a%2Fb/test', (to) => hooks(to).test('a/b')],
  ['GET /api/webhooks/a%2Fb/deliveries', (to) => hooks(to).deliveries('a/b'), undefined, items, ['x']],
  ['GET /api/me/second-factor', (to) => factor(to).state(), undefined, me, me],
  ['POST /api/me/second-factor', (to) => factor(to).begin('p'), { password: 'p' }, me, me],
  [
    'POST /api/me/second-factor/confirmation',
    (to) => factor(to).confirm('c'),
    { code: 'c' },
    { recovery_codes: ['r'] },
    ['r'],
  ],
  [
    'POST /api/me/second-factor/recovery-codes',
    (to) => factor(to).renewRecoveryCodes('p'),
    { password: 'p' },
    { recovery_codes: ['r'] },
    ['r'],
  ],
  ['DELETE /api/me/second-factor', (to) => factor(to).remove('p'), { password: 'p' }],
  ['GET /api/me/passkeys', (to) => passkeys(to).list(), undefined, items, ['x']],
  ['POST /api/me/passkey-options', (to) => passkeys(to).creationOptions('p'), { password: 'p' }, me, me],
  ['POST /api/me/passkeys', (to) => passkeys(to).add('n', credential), { name: 'n', credential }, me, me],
  ['PUT /api/me/passkeys/a%2Fb', (to) => passkeys(to).rename('a/b', 'n'), { name: 'n' }, me, me],
  ['DELETE /api/me/passkeys/a%2Fb', (to) => passkeys(to).remove('a/b', 'p'), { password: 'p' }],
  ['POST /api/auth/passkey/options', (to) => passkey(to).requestOptions(), undefined, me, me],
  ['POST /api/auth/passkey', (to) => passkey(to).signIn(credential), { credential }, me, 7],
]

test.each(calls)(
  '%s: a call sends this request and returns what it brought',
  async (line, call, sent, response, result) => {
    const requests: ServiceRequest[] = []
    const returned = await call(async (request) => {
      requests.push(request)
      return { outcome: 'ok', status: 200, body: response, headers: new Headers({ etag: 'tag' }) }
    })
    expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([line])
    expect(requests[0]?.body).toEqual(sent)
    expect(returned).toEqual(result)
  },
)

const problem: Problem = problemOf('unavailable', 'No.')
const failing = (response: ServiceResponse) => connectOver(async () => response).service()

test('a call that fails says if the service rejected it, wants a sign-in or cannot be reached, and why', async () => {
  const rejected = failing({ outcome: 'rejected', status: 422, problem, headers: new Headers() })
  await expect(rejected).rejects.toEqual(new RejectedError(problem))
  await expect(rejected).rejects.toThrow(/^No\.$/)
  await expect(failing({ outcome: 'unauthenticated' })).rejects.toBeInstanceOf(NotSignedInError)
  const offline = await failing({ outcome: 'retryable', retryAfterMs: 0, problem }).catch((error: unknown) => error)
  expect([offline instanceof OfflineError, (offline as OfflineError).problem]).toEqual([true, problem])
})

test('[D7.9] a sign-in of the device’s user lets it sync, one of another user is an error', async () => {
  const events: string[] = []
  const accountOver = (response: ServiceResponse) =>
    userAccountOf(
      async () => response,
      user,
      (event) => events.push(event),
    )
  const ok = (body: object): ServiceResponse => ({ outcome: 'ok', status: 200, body, headers: new Headers() })
  await accountOver(ok({ user_id: 7 })).signIn('e', 'p')
  expect(events.splice(0)).toEqual(['syncRequested'])
  await expect(accountOver(ok({ user_id: 8 })).signIn('e', 'p')).rejects.toEqual(new OtherUserError(8 as UserNumber))
  expect(events).toEqual([])
  // The session may have ended already.
  expect(await accountOver({ outcome: 'unauthenticated' }).signOut()).toBeUndefined()
  expect(events.splice(0)).toEqual(['unauthenticated'])
  await expect(accountOver({ outcome: 'retryable', retryAfterMs: 0 }).signOut()).rejects.toBeInstanceOf(OfflineError)
  expect(events).toEqual([])
  await accountOver(ok({})).deleteAccount('p', { tag: 'tag' })
  expect(events).toEqual(['unauthenticated'])
})

test('an account is deleted only while the tag of its export is the latest', async () => {
  const requests: ServiceRequest[] = []
  const transport: Transport = async (request) => {
    requests.push(request)
    return { outcome: 'ok', status: 204, body: undefined, headers: new Headers() }
  }
  await own(transport).deleteAccount('p', { tag: '"7"' })
  expect(requests[0]?.headers).toEqual({ 'if-match': '"7"' })
})
