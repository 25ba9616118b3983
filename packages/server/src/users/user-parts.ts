import { Companies } from '../team/companies.ts'
import type { AuthOptions } from './auth-options.ts'
import { CalendarFeeds } from './calendar-feeds.ts'
import { CompanySignIn } from './company-sign-in.ts'
import { Identification } from './identification.ts'
import { Passkeys } from './passkeys.ts'
import { Passwords } from './passwords.ts'
import { SecondFactor } from './second-factor.ts'
import { SignInMethods } from './sign-in.ts'
import { Tokens } from './tokens.ts'
import { UserAccounts } from './user-accounts.ts'
import { WebSessions } from './web-sessions.ts'

/** The parts of the service that know users and their keys: passwords, passkeys, tokens, feeds and so on. */
export type UserParts = ReturnType<typeof userParts>

/** Creates the parts that know users, over one database. */
export function userParts(options: AuthOptions) {
  const sessions = new WebSessions(options)
  const tokens = new Tokens(options)
  const keys = {
    userAccounts: new UserAccounts(options),
    passwords: new Passwords(options),
    secondFactor: new SecondFactor(options),
    passkeys: new Passkeys(options),
    company: new CompanySignIn(options, options.providers ?? []),
  }
  return {
    ...keys,
    tokens,
    feeds: new CalendarFeeds(options),
    companies: new Companies(options),
    identification: new Identification(options, sessions, tokens),
    signIn: new SignInMethods(options, { ...keys, sessions }),
  }
}
