import * as v from 'valibot'
import { Profile } from './profile.ts'
import { InstantText } from './validation.ts'

/** A user keeps their own time; an admin also manages user accounts, and never reads the time of others (D19.3). */
export const userRoles = ['user', 'admin'] as const
/** One of `userRoles`. */
export type UserRole = (typeof userRoles)[number]

/**
 * `invited`: has not set a password yet. `deactivated`: cannot sign in. `erasing`: deactivated, and erased at
 * `erase_at` with all data.
 */
export const userAccountStates = ['invited', 'active', 'deactivated', 'erasing'] as const
/** One of `userAccountStates`. */
export type UserAccountState = (typeof userAccountStates)[number]

/** The name that the app shows for a user: a line of 1 to 200 characters. */
export const DisplayName = v.pipe(Profile.entries.name, v.nonEmpty('must not be empty'))

const count = v.pipe(v.number(), v.integer())

/** The people who can sign up: the first user with the set-up code, anybody, or nobody. */
export const signups = ['first_user', 'open', 'closed'] as const
/** One of `signups`. */
export type Signup = (typeof signups)[number]

/** The languages in which the service writes mails. */
export const mailLanguages = ['en', 'de'] as const
/** One of `mailLanguages`. */
export type MailLanguage = (typeof mailLanguages)[number]

/** The outcome of handing a mail to the mail server. `failed` mails are not sent again by themselves. */
export const mailDeliveries = ['sent', 'failed'] as const
/** One of `mailDeliveries`. */
export type MailDelivery = (typeof mailDeliveries)[number]

/**
 * The user accounts that a list shows. `quiet`: active ones that nobody has used for 30 days; `one_factor`: those that
 * sign in by a password without a code; `unconfirmed`: those whose address nobody has shown to be theirs.
 */
export const userAccountFilters = [
  'all',
  'invited',
  'deactivated',
  'quiet',
  'one_factor',
  'unconfirmed',
  'admins',
] as const
/** One of `userAccountFilters`. */
export type UserAccountFilter = (typeof userAccountFilters)[number]

/** The orders of a list of user accounts: by name or address, or the least active first. */
export const userAccountOrders = ['name', 'email', 'last_active'] as const
/** One of `userAccountOrders`. */
export type UserAccountOrder = (typeof userAccountOrders)[number]

/** A user account as admins see it. `last_active_at` is noted once a day for browsers and every 15 min for programs. */
export const UserAccountRow = v.object({
  user_id: count,
  email: v.string(),
  email_confirmed: v.pipe(
    v.boolean(),
    v.metadata({ description: 'True if the user, an admin or a provider has shown that the address is theirs.' }),
  ),
  name: v.string(),
  role: v.picklist(userRoles),
  state: v.picklist(userAccountStates),
  created_at: InstantText,
  last_active_at: v.nullable(InstantText),
  sessions: count,
  second_factor: v.pipe(v.boolean(), v.metadata({ description: 'True if passwords of the user need a code.' })),
  stored_bytes: count,
  erase_at: v.nullable(InstantText),
  link_mail: v.pipe(
    v.nullable(v.picklist(mailDeliveries)),
    v.metadata({ description: 'The mail with the last unused link to set a password; null if none was sent.' }),
  ),
})
export type UserAccountRow = v.InferOutput<typeof UserAccountRow>

/**
 * A link that is used once. `path` is to be put behind the address of the service and cannot be shown again; null if
 * the link was mailed, since only the person shall have it (D19.28). `mail` is null for a link that was not mailed.
 */
export const UserAccountLink = v.object({
  path: v.nullable(v.string()),
  expires_at: InstantText,
  mail: v.nullable(v.picklist(mailDeliveries)),
})
export type UserAccountLink = v.InferOutput<typeof UserAccountLink>

/** The user account that a link opens. An `invitation` sets the first password, a `reset` replaces a forgotten one. */
export const LinkTarget = v.object({
  purpose: v.picklist(['invitation', 'reset']),
  email: v.string(),
  name: v.string(),
})
export type LinkTarget = v.InferOutput<typeof LinkTarget>

/** The state of the service, for admins. `last_failure` is the last mail that failed, if none was sent after it. */
export const ServiceState = v.object({
  build: v.string(),
  protocol: count,
  signup: v.picklist(signups),
  database: v.picklist(['sqlite', 'postgresql']),
  public_url: v.nullable(v.string()),
  mail: v.object({
    on: v.boolean(),
    last_failure: v.nullable(v.object({ at: InstantText, reason: v.string() })),
  }),
  storage: v.object({
    size_bytes: count,
    free_bytes: v.pipe(
      v.nullable(count),
      v.metadata({ description: 'Free space on the disk of a SQLite database; null for PostgreSQL.' }),
    ),
    last_backup_at: v.pipe(
      v.nullable(InstantText),
      v.metadata({ description: 'When `saldo admin backup` last completed; null if never.' }),
    ),
  }),
})
export type ServiceState = v.InferOutput<typeof ServiceState>
