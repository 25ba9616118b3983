import { expect, test } from 'vitest'
import { readConfig } from '../../src/env.ts'

const ONE = {
  SALDO_PUBLIC_URL: 'https://saldo.example',
  SALDO_OIDC_ISSUER: 'https://login.example/realms/us',
  SALDO_OIDC_CLIENT_ID: 'saldo',
  SALDO_OIDC_CLIENT_SECRET: 'a secret',
  SALDO_OIDC_LABEL: 'Example',
}
const TWO = {
  SALDO_OIDC_ISSUER_2: 'https://other.example',
  SALDO_OIDC_CLIENT_ID_2: 'saldo',
  SALDO_OIDC_CLIENT_SECRET_2: 'another secret',
  SALDO_OIDC_LABEL_2: 'Other',
}
const WITH_MAIL = {
  SALDO_PUBLIC_URL: 'https://saldo.example',
  SALDO_SMTP_URL: 'smtps://mail.example.com',
  SALDO_MAIL_FROM: 'saldo@example.com',
}

test('[D20.1] several providers are read from numbered settings, with defaults that let nobody new in', () => {
  const own = { SALDO_OIDC_DOMAINS_2: 'Example.com, sub.example.org', SALDO_OIDC_LINKING_2: 'yes' }
  const { providers, oidcOnly } = readConfig({ ...ONE, ...TWO, ...own, SALDO_OIDC_ADMIN_GROUP_2: 'admins' })
  const common = { clientId: 'saldo', scope: 'openid email profile' }
  const claims = { verifiedClaim: 'email_verified', groupsClaim: 'groups' }
  expect(oidcOnly).toBe(false)
  expect(providers).toEqual([
    {
      ...{ ...common, ...claims, id: '1', issuer: ONE.SALDO_OIDC_ISSUER, clientSecret: 'a secret', label: 'Example' },
      ...{ domains: undefined, linking: false, adminGroup: undefined },
    },
    {
      ...{ ...common, ...claims, id: '2', issuer: 'https://other.example', clientSecret: 'another secret' },
      ...{ label: 'Other', domains: ['example.com', 'sub.example.org'], linking: true, adminGroup: 'admins' },
    },
  ])
  expect(readConfig({}).providers).toEqual([])
})

test.each([
  [{ SALDO_OIDC_ISSUER: 'http://login.example' }, 'SALDO_OIDC_ISSUER must be an https: URL'],
  [{ SALDO_OIDC_ISSUER: 'https://login.example/?x' }, 'SALDO_OIDC_ISSUER must be an https: URL'],
  [{ SALDO_OIDC_CLIENT_SECRET: undefined }, 'SALDO_OIDC_CLIENT_SECRET is missing'],
  [{ SALDO_OIDC_LABEL: '' }, 'SALDO_OIDC_LABEL must not be empty'],
  [{ SALDO_OIDC_DOMAINS: '*' }, 'SALDO_OIDC_DOMAINS must be domains'],
  [{ SALDO_OIDC_DOMAINS: '@example.com' }, 'SALDO_OIDC_DOMAINS must be domains'],
  // The Kelvin sign folds to "k".
  [{ SALDO_OIDC_DOMAINS: 'ban\u212A.example' }, 'SALDO_OIDC_DOMAINS must be domains'],
  [{ SALDO_OIDC_LINKING: 'true' }, 'SALDO_OIDC_LINKING must be yes or no'],
  [{ SALDO_OIDC_SCOPE: 'email' }, 'SALDO_OIDC_SCOPE must contain openid'],
  [{ SALDO_OIDC_LABEL_3: 'Third' }, 'SALDO_OIDC_ISSUER_3 is missing'],
  [{ ...TWO, SALDO_OIDC_ISSUER_2: ONE.SALDO_OIDC_ISSUER }, 'SALDO_OIDC_ISSUER_2 is given twice'],
  [{ SALDO_OIDC_ISSUER_10: 'https://x.example' }, 'Unknown setting SALDO_OIDC_ISSUER_10'],
  [{ SALDO_PUBLIC_URL: undefined }, 'SALDO_OIDC_ISSUER needs SALDO_PUBLIC_URL'],
])('[D20.1] the settings %j stop the start and name the reason', (changed, reason) => {
  expect(() => readConfig({ ...ONE, ...changed })).toThrow(reason)
})

test('[D20.10] company sign-in only needs a provider', () => {
  for (const others of [{}, { SALDO_PUBLIC_URL: ONE.SALDO_PUBLIC_URL }, WITH_MAIL]) {
    const settings = { ...others, SALDO_OIDC_ONLY: 'yes' }
    expect(() => readConfig(settings)).toThrow('SALDO_OIDC_ONLY needs SALDO_OIDC_ISSUER')
  }
  expect(readConfig({ ...ONE, SALDO_OIDC_ONLY: 'yes' }).oidcOnly).toBe(true)
})

test.each([
  ['SALDO_AUTH_SECRET', 'SALDO_DATABASE_URL needs SALDO_AUTH_SECRET'],
  ['SALDO_MAIL_FROM', 'SALDO_SMTP_URL needs SALDO_MAIL_FROM'],
  ['SALDO_SMTP_URL', 'SALDO_MAIL_FROM needs SALDO_SMTP_URL'],
])('among all other settings, the missing %s stops the start', (missing, reason) => {
  const all = {
    ...{ ...ONE, ...TWO, ...WITH_MAIL, SALDO_OIDC_ONLY: 'yes' },
    ...{ SALDO_DATABASE_URL: 'postgresql://saldo@localhost/saldo', SALDO_AUTH_SECRET: 'x'.repeat(32) },
  }
  expect(readConfig(all).mailFrom).toBe(WITH_MAIL.SALDO_MAIL_FROM)
  expect(() => readConfig({ ...all, [missing]: undefined })).toThrow(reason)
})

test('mail alone needs the public URL', () => {
  expect(() => readConfig({ ...WITH_MAIL, SALDO_PUBLIC_URL: undefined })).toThrow(
    'SALDO_SMTP_URL needs SALDO_PUBLIC_URL',
  )
})

test.each([
  [
    'SALDO_DATABASE_URL',
    { SALDO_DATABASE_URL: 'postgresql://saldo@localhost/saldo', SALDO_AUTH_SECRET: 'x'.repeat(32) },
  ],
  ['SALDO_SMTP_URL', WITH_MAIL],
  ['SALDO_OIDC_ISSUER', ONE],
])('[D23.1] a demo does not start with %s', (name, settings) => {
  expect(() => readConfig({ ...settings, SALDO_DEMO: '1' })).toThrow(`SALDO_DEMO does not work with ${name}`)
  expect(readConfig({ ...settings, SALDO_DEMO: '0' }).demo).toBe(false)
})
