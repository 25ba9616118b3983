import type { Instant, MemberRules, UserNumber } from '@saldo/core'
import { expect, test } from 'vitest'
import { UnknownUserError } from '../../../src/store/store.ts'
import { AccountLinkStore } from '../../../src/store/users/account-links.ts'
import { FeedStore } from '../../../src/store/users/feeds.ts'
import { type AdmissionFacts, IdentityStore } from '../../../src/store/users/identities.ts'
import { PasskeyStore } from '../../../src/store/users/passkeys.ts'
import { SecondFactorStore } from '../../../src/store/users/second-factors.ts'
import { UserAccountStore } from '../../../src/store/users/user-accounts.ts'
import { deleteUser } from '../../../src/store/users/user-rows.ts'
import { MAX_SESSIONS, type SessionLimits } from '../../../src/store/users/users.ts'
import { WebhookStore } from '../../../src/store/users/webhooks.ts'
import { decideAdmission } from '../../../src/users/admission.ts'
import { hourOf, oneOfEachKind, tombstone, uuidOf } from '../samples.ts'
import type { Contract } from './kit.ts'

const AT = '2026-11-21T12:00:00.000Z'
const LIMITS = { now: AT, begunSince: AT } as const
const tables = [
  'users',
  'counters',
  'records',
  'sync_log',
  'jobs',
  'tokens',
  'sessions',
  'passkeys',
  'second_factors',
  'calendar_feeds',
  'webhooks',
  'webhook_deliveries',
  'account_links',
  'oidc_identities',
]

/** A token that may do everything and never expires. */
const tokenOf = (name: string) => ({ id: uuidOf(name), name, scope: 'full', created_at: AT, expires_at: null }) as const

/** Users, and the separation of their data. */
export function usersContract(contract: Contract): void {
  const identities = () => new IdentityStore(contract.driver, contract.users)

  /** A user who has something in every table. */
  async function userWithEverything(name: string): Promise<UserNumber> {
    const user = await contract.user()
    const person = { issuer: 'https://login.example', subject: name, verifiedEmail: undefined, name }
    await identities().admit(person, () => ({ outcome: 'link', user }), AT)
    await contract.put(user, ...oneOfEachKind(uuidOf('same')), tombstone('entries', uuidOf('dead')))
    const task = { kind: 'auto_close', dayFrom: '2026-11-01', weekFrom: '2026-10-26' } as const
    await contract.records.write(user, (writer) => writer.putJob({ id: 'job', dueMs: 1, task }))
    await contract.users.addToken({ user, hash: `hash of ${name}` }, tokenOf('token'))
    const passkey = { credentialId: `credential of ${name}`, publicKey: 'key', counter: 0 }
    await new PasskeyStore(contract.driver).add(
      user,
      { id: uuidOf('passkey'), name: 'telephone', created_at: AT, last_used_at: null },
      passkey,
    )
    const session = { at: AT, expiresAt: '2027-01-01T00:00:00.000Z', userAgent: null } as const
    await contract.users.addSession({ user, hash: `session of ${name}` }, session)
    await new SecondFactorStore(contract.driver).begin(user, 'sealed')
    const feed = {
      id: uuidOf('feed'),
      name: 'Team',
      absences: true,
      work: false,
      group_id: null,
      language: 'de',
    } as const
    const feedKey = { user, hash: `feed of ${name}` }
    await new FeedStore(contract.driver).add(feedKey, { ...feed, created_at: AT, last_used_at: null })
    const webhooks = new WebhookStore(contract.driver)
    const webhook = { id: uuidOf('webhook'), url: 'https://example.com', events: ['week.closed' as const] }
    await webhooks.add(user, 'sealed', { ...webhook, created_at: AT, failing_since: null, disabled: null }, 1)
    await webhooks.ping(user, webhook.id, 'msg', 1)
    const links = new AccountLinkStore(contract.driver)
    const expiresAt = '2027-01-01T00:00:00.000Z'
    await links.putLink({ user, hash: `link of ${name}` }, { purpose: 'password', expiresAt })
    return user
  }

  const countsOf = (user: UserNumber) => Promise.all(tables.map((table) => contract.rowsOf(table, user)))

  test('[D8.4] reading or writing for an unknown user throws UnknownUserError', async () => {
    const user = await contract.user()
    for (const nobody of [user + 1, 0, -1, Number.MAX_SAFE_INTEGER] as UserNumber[]) {
      await expect(contract.read(nobody, async () => 'read')).rejects.toBeInstanceOf(UnknownUserError)
      await expect(contract.put(nobody, hourOf(1))).rejects.toBeInstanceOf(UnknownUserError)
      const key = { user: nobody, hash: 'hash of nobody' }
      await expect(contract.users.addToken(key, tokenOf('token'))).rejects.toBeInstanceOf(UnknownUserError)
      expect(await countsOf(nobody)).toEqual(tables.map(() => 0))
    }
  })

  test('[D8.26] removing a user removes all of their data and nothing of others', async () => {
    const [gone, stays] = [await userWithEverything('gone'), await userWithEverything('stays')]
    const before = await countsOf(stays)
    expect(before).toEqual([1, 1, 6, 6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])
    expect(await countsOf(gone)).toEqual(before)
    const { version } = await contract.read(gone, (reader) => reader.position())
    expect(await contract.users.remove(gone, version, '2026-11-21')).toBe('removed')
    expect(await countsOf(gone)).toEqual(tables.map(() => 0))
    expect(await countsOf(stays)).toEqual(before)
    await expect(contract.put(gone, hourOf(1))).rejects.toBeInstanceOf(UnknownUserError)
    expect(await contract.users.remove(gone, version, '2026-11-21')).toBe('changed_since')
    expect(await contract.users.findToken({ user: gone, hash: 'hash of gone' }, AT)).toBeUndefined()
    expect(await contract.users.findToken({ user: stays, hash: 'hash of stays' }, AT)).toMatchObject({ user: stays })
  })

  test('[D19.21] after a kill, nothing is found of a deleted user, and what is left goes later', async () => {
    const [gone, stays] = [await userWithEverything('killed'), await userWithEverything('not killed')]
    const before = await countsOf(stays)
    await contract.driver.write((sql) => deleteUser(sql, gone))
    expect(await contract.rowsOf('records', gone)).toBe(6)
    await expect(contract.read(gone, async () => 'read')).rejects.toBeInstanceOf(UnknownUserError)
    await expect(contract.put(gone, hourOf(1))).rejects.toBeInstanceOf(UnknownUserError)
    expect(await contract.users.byId(gone)).toBeUndefined()
    expect(await contract.records.usersWithDueJobs(Number.MAX_SAFE_INTEGER - 1, 100, [])).not.toContain(gone)
    await new UserAccountStore(contract.driver).removeDeleted((_, error) => expect.fail(String(error)))
    expect(await countsOf(gone)).toEqual(tables.map(() => 0))
    expect(await countsOf(stays)).toEqual(before)
  })

  test('[D8.2] no statement about a user changes a row of another, even one of the same id', async () => {
    const [one, other] = [await userWithEverything('one of two'), await userWithEverything('other of two')]
    const [accounts, feeds] = [new UserAccountStore(contract.driver), new FeedStore(contract.driver)]
    const links = new AccountLinkStore(contract.driver)
    const [passkeys, factors] = [new PasskeyStore(contract.driver), new SecondFactorStore(contract.driver)]
    const [token, feed, passkey] = ['token', 'feed', 'passkey'].map(uuidOf) as [string, string, string]
    const [later, expiresAt] = ['2026-11-22T12:00:00.000Z', '2027-02-01T00:00:00.000Z'] as const
    const session = (await contract.users.sessions(one, LIMITS))[0]?.id ?? 0
    for (const user of [one, other]) {
      await factors.confirm(user, { sealedKey: 'sealed', step: 1, hashes: [`first ${user}`, 'second'], at: AT })
    }
    await accounts.change(other, { active: false, eraseAt: AT }, AT)
    for (const [hash, purpose] of [
      ['own link', 'password'],
      ['own address', 'email'],
    ] as const) {
      await links.putLink({ user: one, hash }, { purpose, expiresAt, email: 'new@two.example' })
    }
    const rowsOfOther = async () => {
      const rows = [...tables, 'recovery_codes'].map((table) => {
        const column = table === 'users' ? 'id' : 'user_id'
        return contract.driver.all(`SELECT * FROM ${table} WHERE ${column} = $1`, [other])
      })
      return (await Promise.all(rows))
        .flat()
        .map((row) => JSON.stringify(row))
        .toSorted()
    }
    const before = await rowsOfOther()
    const profile = {
      name: 'New',
      personnel_number: '7',
      employer: 'Company',
      preferences: { language: 'de' },
    } as const
    const another = { user: one, hash: 'another link' }
    const steps: Record<string, () => Promise<unknown>> = {
      profile: () => contract.users.changeProfile(one, profile, later),
      extend: () => contract.users.extendSession(one, session, { at: later, expiresAt }),
      token: () => contract.users.noteUse(one, token, later),
      feed: () => feeds.noteUse(one, feed, later),
      passkey: () => passkeys.noteUse(one, passkey, { counter: 1, at: later }),
      rename: () => passkeys.rename(one, passkey, 'new'),
      step: () => factors.takeStep(one, 2),
      code: () => factors.takeRecoveryCode(one, 'second'),
      codes: () => factors.replaceRecoveryCodes(one, ['third']),
      factor: () => factors.remove(one),
      'revoke token': () => contract.users.revokeToken(one, token),
      'revoke feed': () => feeds.revoke(one, feed),
      'remove passkey': () => passkeys.remove(one, passkey),
      'remove passkeys': () => passkeys.removeAll(one),
      'end others': () => contract.users.endOtherSessions(one, session),
      'end expired': () => contract.users.removeEndedSessions(one, { now: '2028-01-01T00:00:00.000Z', begunSince: AT }),
      role: () => accounts.change(one, { role: 'admin' }, later),
      address: () => links.useEmailLink({ user: one, hash: 'own address' }, session, later),
      password: () => contract.users.setPassword(one, { hash: 'new', keepTokens: false }),
      link: () => links.putLink(another, { purpose: 'password', expiresAt }),
      mail: () => links.noteMail(another, 'sent'),
      'use link': () => links.useLink(another, 'newer', later),
      deactivate: () => accounts.change(one, { active: false, eraseAt: later }, later),
      reactivate: () => accounts.change(one, { active: true }, later),
      identities: () => identities().removeAll(one),
      name: () => accounts.change(one, { name: 'New' }, later),
      'withdraw one who has signed in': () => accounts.withdraw(one),
      'erase too early': () => accounts.erase(one, later),
    }
    for (const [name, step] of Object.entries(steps)) {
      await step()
      expect(await rowsOfOther(), name).toEqual(before)
    }
    expect(await contract.users.byId(one)).toMatchObject({ email: 'new@two.example', role: 'admin', name: 'New' })
    await accounts.change(one, { active: false, eraseAt: expiresAt }, later)
    expect([await accounts.erase(one, later), await accounts.due(later)]).toEqual([false, [other]])
    expect(await accounts.erase(one, expiresAt)).toBe(true)
    expect(await rowsOfOther()).toEqual(before)
  })

  test('[D8.12] sessions and tokens are valid until they are ended, revoked or expired', async () => {
    const [one, other] = [await userWithEverything('one'), await userWithEverything('other')]
    const sessionOf = async (user: UserNumber) => (await contract.users.sessions(user, LIMITS))[0]?.id ?? 0
    const [first, second] = [await sessionOf(one), await sessionOf(other)]
    const [token, phone] = [uuidOf('token'), uuidOf('second')]
    const keysOf = (user: UserNumber) => [first, second, token, phone].map((id) => ({ user, id }))
    const valid = async (now: Instant, begunSince: Instant = AT) =>
      new Set(await contract.users.validIds([...keysOf(one), ...keysOf(one), ...keysOf(other)], { now, begunSince }))
    expect(await valid(AT)).toEqual(new Set([first, second, token]))
    expect(await valid('2027-01-01T00:00:00.000Z')).toEqual(new Set([token]))
    expect(await valid(AT, '2026-11-21T12:00:00.001Z')).toEqual(new Set([token]))
    const listed = async (now: Instant, begunSince: Instant = AT) =>
      (await contract.users.sessions(one, { now, begunSince })).map(({ id }) => id)
    expect(await listed('2026-12-31T23:59:59.999Z')).toEqual([first])
    expect(await listed('2027-01-01T00:00:00.000Z')).toEqual([])
    expect(await listed(AT, '2026-11-21T12:00:00.001Z')).toEqual([])
    await contract.users.endSession(one, first)
    expect(await valid(AT)).toEqual(new Set([second, token]))

    await contract.users.addToken({ user: one, hash: 'hash of second' }, tokenOf('second'))
    expect(await contract.users.validIds(keysOf(other), LIMITS)).toEqual([second, token])
    expect(await contract.users.validIds([{ user: other, id: token }], LIMITS)).toEqual([token])
    await contract.users.revokeToken(one, token)
    expect(await contract.users.validIds(keysOf(one), LIMITS)).toEqual([phone])
    expect(await contract.users.validIds([], LIMITS)).toEqual([])
  })

  test('[D8.46] of 500 sessions, the one used least recently ends when the user signs in once more', async () => {
    const [user, other] = [await contract.user(), await userWithEverything('few sessions')]
    const begin = (number: number) => {
      const session = { at: AT, expiresAt: '2027-01-01T00:00:00.000Z', userAgent: null } as const
      return contract.users.addSession({ user, hash: `session ${number}` }, session)
    }
    const listed = async () => (await contract.users.sessions(user, LIMITS)).map(({ id }) => id)
    const [first, second] = [await begin(1), await begin(2)]
    // One after another: a sign-in that gets no turn of its user within five seconds is refused.
    for (let number = 3; number <= MAX_SESSIONS; number += 1) await begin(number)
    expect(await listed()).toHaveLength(500)
    await contract.users.extendSession(user, first, { at: AT, expiresAt: '2027-01-02T00:00:00.000Z' })
    const next = await begin(501)
    const left = await listed()
    expect(left).toHaveLength(500)
    expect([first, second, next].map((id) => left.includes(id))).toEqual([true, false, true])
    expect(await contract.users.sessions(other, LIMITS)).toHaveLength(1)
  })

  test('[D21.4] a token is valid until the instant at which it expires, and is listed afterwards', async () => {
    const user = await contract.user()
    const expires_at = '2026-12-01T00:00:00.000Z' as Instant
    await contract.users.addToken({ user, hash: 'hash' }, { ...tokenOf('token'), scope: 'read', expires_at })
    for (const [now, isValid] of [
      ['2026-11-30T23:59:59.999Z', true],
      [expires_at, false],
    ] as const) {
      expect((await contract.users.findToken({ user, hash: 'hash' }, now))?.scope, now).toBe(
        isValid ? 'read' : undefined,
      )
      expect(await contract.users.validIds([{ user, id: uuidOf('token') }], { now, begunSince: AT }), now).toEqual(
        isValid ? [uuidOf('token')] : [],
      )
    }
    expect(await contract.users.tokens(user)).toMatchObject([{ id: uuidOf('token'), scope: 'read', expires_at }])
  })

  test('[D8.47] a secret is found under the number of its user and no other, in every table', async () => {
    const [user, other] = [await userWithEverything('numbered'), await userWithEverything('another')]
    const [links, feeds] = [new AccountLinkStore(contract.driver), new FeedStore(contract.driver)]
    const foundAs = async (number: UserNumber) => [
      (await contract.users.findToken({ user: number, hash: 'hash of numbered' }, AT))?.user,
      (await contract.users.findSession({ user: number, hash: 'session of numbered' }))?.user,
      (await feeds.find({ user: number, hash: 'feed of numbered' }))?.user,
      (await links.findLink({ user: number, hash: 'link of numbered' }))?.user,
    ]
    expect(await foundAs(user)).toEqual([user, user, user, user])
    expect(await foundAs(other)).toEqual([undefined, undefined, undefined, undefined])
    const wrong = { user: other, hash: 'link of numbered' }
    expect(await links.useLink(wrong, 'new', AT)).toBeUndefined()
    await links.noteMail(wrong, 'failed')
    expect(await foundAs(user)).toEqual([user, user, user, user])
  })

  test('[D8.26] a user whose records changed after the export is not removed', async () => {
    const user = await userWithEverything('changed')
    const before = await countsOf(user)
    for (const version of [5, 7, 0])
      expect(await contract.users.remove(user, version, '2026-11-21')).toBe('changed_since')
    expect(await countsOf(user)).toEqual(before)
    expect(await contract.users.remove(user, 6, '2026-11-21')).toBe('removed')
  })

  test('[D31.4] a user who has become a member since the removal was admitted is not removed', async () => {
    const user = await userWithEverything('joined')
    const rules: MemberRules = { company: 1, dates: [{ from: '2026-11-01', to: '2026-11-20' }], versions: [] }
    await contract.records.write(user, (writer) => writer.putMemberRules(rules))
    const { version } = await contract.read(user, (reader) => reader.position())
    expect(await contract.users.remove(user, version, '2026-11-20')).toBe('member')
    expect(await contract.users.remove(user, version, '2026-11-21')).toBe('removed')
  })

  test('[D6.19] the number of a removed user is never given again', async () => {
    const numbers: UserNumber[] = []
    for (let round = 0; round < 5; round += 1) {
      const user = await contract.user()
      numbers.push(user)
      expect(await contract.users.remove(user, 0, '2026-11-21')).toBe('removed')
    }
    expect(new Set(numbers).size).toBe(5)
  })

  test('[D8.1] an address belongs to one user, even after simultaneous sign-ups', async () => {
    const add = (email: string) => contract.users.add({ email, passwordHash: 'none', at: AT })
    const outcomes = await Promise.all([add('twin@example.com'), add('twin@example.com'), add('twin@example.com')])
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['added', 'email_taken', 'email_taken'])
    expect((await contract.users.list()).filter(({ email }) => email === 'twin@example.com')).toHaveLength(1)
    // A refused user leaves no counter behind.
    const counters = await contract.driver.read((sql) => sql.all<{ n: number }>('SELECT COUNT(*) AS n FROM counters'))
    expect(counters).toEqual([{ n: (await contract.users.list()).length }])
  })

  test('[D20.4] simultaneous first sign-ins of a person make one user or one link', async () => {
    await contract.user()
    const issuer = 'https://at-once.example'
    const personOf = (subject: string, email: string) => ({ issuer, subject, verifiedEmail: email, name: 'Ada' })
    const policy = { domains: ['example.com'], linking: true }
    const admit = (subject: string, email: string) => {
      const person = personOf(subject, email)
      const decide = (facts: AdmissionFacts) => decideAdmission(facts, { ...person, isAdmin: false }, policy)
      return identities().admit(person, decide, AT)
    }
    const made = await Promise.all([1, 2, 3].map(() => admit('new', 'new@example.com')))
    const user = made.map((admitted) => ('user' in admitted ? admitted.user : undefined))
    expect(new Set(user).size).toBe(1)
    expect(made.map((admitted) => 'by' in admitted && admitted.by).toSorted()).toEqual(['create', 'enter', 'enter'])
    expect(await identities().list(user[0] as UserNumber)).toEqual([{ issuer, subject: 'new', created_at: AT }])

    const added = await contract.users.add({
      email: 'known@example.com',
      isConfirmed: true,
      passwordHash: 'hash',
      at: AT,
    })
    const known = added.outcome === 'added' ? added.user : (0 as UserNumber)
    const linked = await Promise.all(['one', 'other'].map((subject) => admit(subject, 'known@example.com')))
    expect(linked.toSorted((a, b) => a.outcome.localeCompare(b.outcome))).toEqual([
      { outcome: 'admitted', user: known, by: 'link' },
      { outcome: 'refused', reason: 'taken' },
    ])
    expect(await contract.users.passwordHash(known)).toBeUndefined()
    expect(await identities().removeAll(known)).toBe(1)
    expect((await admit('third', 'known@example.com')).outcome).toBe('admitted')
  })

  test('[D20.6] an identity counts at its own provider alone, whatever the names of the others', async () => {
    const added = await contract.users.add({ email: 'several@example.com', passwordHash: null, at: AT })
    const user = added.outcome === 'added' ? added.user : (0 as UserNumber)
    const person = (issuer: string) => ({ issuer, subject: 's', verifiedEmail: 'several@example.com', name: '' })
    await identities().admit(person('https://b.example'), () => ({ outcome: 'link', user }), AT)
    const hasIdentityAt = async (issuer: string) => {
      let found: AdmissionFacts | undefined
      const look = (facts: AdmissionFacts) => {
        found = facts
        return { outcome: 'refuse', reason: 'only looked' } as const
      }
      await identities().admit({ ...person(issuer), subject: 'another' }, look, AT)
      return found?.sameAddress?.hasIdentity
    }
    expect(await hasIdentityAt('https://a.example')).toBe(false)
    expect(await hasIdentityAt('https://b.example')).toBe(true)
    expect(await hasIdentityAt('https://b.example/')).toBe(false)
    expect(await hasIdentityAt('https://c.example')).toBe(false)
  })

  test('[D20.4] [D20.6] a sign-in finds the user of its identity, and that of its address', async () => {
    const add = async (name: string, issuer: string, subject: string) => {
      const added = await contract.users.add({ email: `${name}@facts.example`, passwordHash: null, at: AT })
      const user = added.outcome === 'added' ? added.user : (0 as UserNumber)
      const person = { issuer, subject, verifiedEmail: undefined, name }
      await identities().admit(person, () => ({ outcome: 'link', user }), AT)
      return user
    }
    const [one, two] = [await add('one', 'https://b.facts', 'same'), await add('two', 'https://a.facts', 'same')]
    const three = await add('three', 'https://b.facts', 'third')
    await new UserAccountStore(contract.driver).change(two, { active: false }, AT)
    const factsOf = async (issuer: string, subject: string, verifiedEmail: string | undefined) => {
      let found: AdmissionFacts | undefined
      const look = (facts: AdmissionFacts) => {
        found = facts
        return { outcome: 'refuse', reason: 'only looked' } as const
      }
      await identities().admit({ issuer, subject, verifiedEmail, name: '' }, look, AT)
      return [found?.known, found?.sameAddress].map((each) => each && [each.user, each.isActive])
    }
    const [isOne, isTwo] = [
      [one, true],
      [two, false],
    ]
    expect(await factsOf('https://b.facts', 'same', 'two@facts.example')).toEqual([isOne, isTwo])
    expect(await factsOf('https://a.facts', 'same', 'one@facts.example')).toEqual([isTwo, isOne])
    expect(await factsOf('https://b.facts', 'third', undefined)).toEqual([[three, true], undefined])
    expect(await factsOf('https://a.facts', 'third', undefined)).toEqual([undefined, undefined])

    const later = '2026-11-22T12:00:00.000Z'
    const person = { issuer: 'https://a.facts', subject: 'later', verifiedEmail: undefined, name: '' }
    await identities().admit(person, () => ({ outcome: 'link', user: one }), later)
    expect((await identities().list(one)).map(({ issuer }) => issuer)).toEqual(['https://a.facts'])
  })

  test('[D20.7] linking removes all that opened the account, other providers too, and no record', async () => {
    const [user, stays] = [await userWithEverything('early'), await userWithEverything('bystander')]
    for (const each of [user, stays]) {
      const hashes = [`code of ${each}`]
      await new SecondFactorStore(contract.driver).confirm(each, { sealedKey: 'sealed', step: 1, hashes, at: AT })
    }
    await contract.users.setPassword(stays, { hash: 'own', keepTokens: true })
    const accessOf = async (each: UserNumber) => [
      await contract.users.passwordHash(each),
      await contract.rowsOf('recovery_codes', each),
    ]
    const [before, beforeOfOther] = [await countsOf(user), await countsOf(stays)]
    const person = { issuer: 'https://other.example', subject: 'owner', verifiedEmail: undefined, name: '' }
    await identities().admit(person, () => ({ outcome: 'link', user }), AT)
    const keys = ['tokens', 'calendar_feeds', 'webhooks', 'webhook_deliveries']
    const opening = [...keys, 'sessions', 'passkeys', 'second_factors', 'account_links']
    const expected = tables.map((table, index) => (opening.includes(table) ? 0 : (before[index] ?? 0)))
    expected[tables.indexOf('oidc_identities')] = 1
    expect(await countsOf(user)).toEqual(expected)
    expect(await identities().list(user)).toMatchObject([{ issuer: 'https://other.example' }])
    expect(await countsOf(stays)).toEqual(beforeOfOther)
    expect([await accessOf(user), await accessOf(stays)]).toEqual([
      [undefined, 0],
      ['own', 1],
    ])
  })

  test('[D19.9] a deactivated user gets no session, key, link or address until they are reactivated', async () => {
    // The first user is the last admin, who stays.
    await contract.user()
    const [user, accounts] = [await contract.user(), new UserAccountStore(contract.driver)]
    const expiresAt = '2027-01-01T00:00:00.000Z'
    const addSession = () =>
      contract.users.addSession({ user, hash: 'session' }, { at: AT, expiresAt, userAgent: null })
    const links = new AccountLinkStore(contract.driver)
    const putLink = () => links.putLink({ user, hash: 'link' }, { purpose: 'password', expiresAt })
    const changeEmail = async () => (await links.changeEmail(user, 'another@example.com', AT)).outcome
    expect((await accounts.change(user, { active: false }, AT)).outcome).toBe('changed')
    await expect(addSession()).rejects.toBeInstanceOf(UnknownUserError)
    expect([await putLink(), await changeEmail()]).toEqual([false, 'wrong_link'])
    expect([await contract.rowsOf('sessions', user), await contract.rowsOf('account_links', user)]).toEqual([0, 0])
    // Keys that are added at the same time open nothing.
    const feeds = new FeedStore(contract.driver)
    const feed = {
      id: uuidOf('late'),
      name: 'Team',
      absences: true,
      work: false,
      group_id: null,
      language: 'de',
    } as const
    const lateToken = { user, hash: 'late token' }
    const lateFeed = { user, hash: 'late feed' }
    await contract.users.addToken(lateToken, tokenOf('late'))
    await feeds.add(lateFeed, { ...feed, created_at: AT, last_used_at: null })
    const opened = async () => [
      (await contract.users.findToken(lateToken, AT))?.user,
      (await feeds.find(lateFeed))?.user,
      ...(await contract.users.validIds([{ user, id: uuidOf('late') }], LIMITS)),
    ]
    expect(await opened()).toEqual([undefined, undefined])
    await accounts.change(user, { active: true }, AT)
    expect(await opened()).toEqual([user, user, uuidOf('late')])
    await addSession()
    expect([await putLink(), await changeEmail()]).toEqual([true, 'changed'])
  })

  test('[D19.13] an account names the mail of its newest link, not that of an earlier one', async () => {
    const [user, accounts] = [await contract.user(), new UserAccountStore(contract.driver)]
    const links = new AccountLinkStore(contract.driver)
    const mail = async () => (await accounts.rows([user], LIMITS))[0]?.link_mail
    const putLink = (hash: string) =>
      links.putLink({ user, hash }, { purpose: 'password', expiresAt: '2027-01-01T00:00:00.000Z' })
    await putLink('earlier')
    await links.noteMail({ user, hash: 'earlier' }, 'failed')
    expect(await mail()).toBe('failed')
    await putLink('newest')
    await links.noteMail({ user, hash: 'earlier' }, 'sent')
    expect(await mail()).toBeNull()
    await links.noteMail({ user, hash: 'newest' }, 'sent')
    const expiresAt = '2027-01-01T00:00:00.000Z'
    const toConfirm = { user, hash: 'to confirm' }
    await links.putLink(toConfirm, { purpose: 'email', expiresAt, email: 'another@example.com' })
    expect(await mail()).toBe('sent')
    expect(await accounts.rows([user], { now: expiresAt, begunSince: AT })).toMatchObject([{ link_mail: null }])
  })

  test('[D19.31] links that anybody can ask for stay until they expire, and no longer', async () => {
    const [user, links] = [await contract.user(), new AccountLinkStore(contract.driver)]
    const expiresAt = '2027-01-01T00:00:00.000Z'
    const add = (hash: string, keepValidAt?: Instant) =>
      links.putLink(
        { user, hash },
        { purpose: 'password', expiresAt },
        keepValidAt === undefined ? {} : { keepValidAt },
      )
    await links.putLink({ user, hash: 'address' }, { purpose: 'email', expiresAt, email: 'another@example.com' })
    const hashes = async () => {
      const query = 'SELECT hash FROM account_links WHERE user_id = $1 ORDER BY hash'
      return (await contract.driver.all<{ hash: string }>(query, [user])).map(({ hash }) => hash)
    }
    await add('first')
    await add('second', '2026-12-31T23:59:59.999Z')
    expect(await hashes()).toEqual(['address', 'first', 'second'])
    await add('third', expiresAt)
    expect(await hashes()).toEqual(['address', 'third'])
    await add('fourth')
    expect(await hashes()).toEqual(['address', 'fourth'])
  })

  test('[D19.5] an account is listed with its own valid sessions and its own keys', async () => {
    await userWithEverything('other account')
    const [accounts, passkeys] = [new UserAccountStore(contract.driver), new PasskeyStore(contract.driver)]
    const added = await contract.users.add({ email: 'invited@example.com', passwordHash: null, at: AT })
    const user = added.outcome === 'added' ? added.user : (0 as UserNumber)
    const rowAt = async (limits: SessionLimits = LIMITS) => (await accounts.rows([user], limits))[0]
    expect(await rowAt()).toMatchObject({ state: 'invited', sessions: 0, stored_bytes: 0, link_mail: null })
    const expiresAt = '2027-01-01T00:00:00.000Z'
    await contract.users.addSession({ user, hash: 'of invited' }, { at: AT, expiresAt, userAgent: null })
    expect((await rowAt())?.sessions).toBe(1)
    expect((await rowAt({ ...LIMITS, now: expiresAt }))?.sessions).toBe(0)
    expect((await rowAt({ ...LIMITS, begunSince: '2026-11-21T12:00:00.001Z' }))?.sessions).toBe(0)
    const passkey = { id: uuidOf('own'), name: 'telephone', created_at: AT, last_used_at: null } as const
    await passkeys.add(user, passkey, { credentialId: 'own', publicKey: 'key', counter: 0 })
    expect((await rowAt())?.state).toBe('active')
    expect(await passkeys.removeAll(user)).toBe(1)
    expect((await rowAt())?.state).toBe('invited')
    const person = { issuer: 'https://login.example', subject: 'invited', verifiedEmail: undefined, name: '' }
    await identities().admit(person, () => ({ outcome: 'link', user }), AT)
    expect((await rowAt())?.state).toBe('active')
  })

  test('[D8.21] the set-up code admits the first user, once', async () => {
    // The first user is the admin, who can go when all others have gone.
    const admin = (role: string) => Number(role === 'admin')
    for (const { id } of (await contract.users.list()).sort((a, b) => admin(a.role) - admin(b.role))) {
      const { version } = await contract.read(id, (reader) => reader.position())
      await contract.users.remove(id, version, '2026-11-21')
    }
    expect(await contract.users.setupCode('the code')).toBe('the code')
    expect(await contract.users.setupCode('another')).toBe('the code')
    const add = (email: string, setupCode: string) =>
      contract.users.add({ email, passwordHash: 'none', at: AT, setupCode })
    expect(await add('wrong@example.com', 'another')).toEqual({ outcome: 'wrong_setup_code' })
    const race = await Promise.all(['a', 'b', 'c'].map((name) => add(`${name}@example.com`, 'the code')))
    expect(race.map(({ outcome }) => outcome).toSorted()).toEqual(['added', 'wrong_setup_code', 'wrong_setup_code'])
    expect(await contract.users.setupCode('yet another')).toBeUndefined()
    expect(await add('late@example.com', 'the code')).toEqual({ outcome: 'wrong_setup_code' })
    expect(await contract.users.list()).toHaveLength(1)
  })
}
