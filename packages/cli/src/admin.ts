import { feedLanguages, type MailLanguage, mailLanguages, tokenScopes, type UserRole, userRoles } from '@saldo/core'
import { Argument, type Command, InvalidArgumentError, Option } from 'commander'
import { undoAutoClosing } from './auto-close.ts'
import { backUp, restore } from './backup.ts'
import { copyDatabaseFromTo } from './copy-database.ts'
import { distribute } from './distribute.ts'
import { addFeed, type FeedOptions, listFeeds, revokeFeed } from './feeds.ts'
import { migrateDatabase } from './migrate.ts'
import { listCompanies, rebuildTeamFacts, replaceHr, verifyTrails } from './team.ts'
import { addToken, listTokens, revokeToken, type TokenOptions } from './tokens.ts'
import {
  addUser,
  changeUserFacts,
  createLink,
  deactivateUser,
  endSessions,
  eraseUser,
  exportUser,
  inviteUser,
  listUsers,
  reactivateUser,
  removeCompanySignIn,
  removePasskeys,
  removeSecondFactor,
  setPassword,
  setRole,
  withdrawInvitation,
} from './users.ts'

const database = `
Uses the database at SALDO_DATABASE_URL or in the folder SALDO_DATA_DIR (./data), also while the service runs.`

const TOKEN_SCOPES = `
Scopes:
  read    read everything, and nothing else
  record  read everything, and create, change and delete entries
  full    everything but managing the account, such as passwords and tokens
`

const MOVING = `
Stop the service first. Clients notice nothing. If the copy fails, the target stays empty; run the same
command again.

Example:
  saldo admin copy-database --from data/saldo.db --to postgresql://saldo@localhost/saldo`

const DISTRIBUTING = `
Uses the database at SALDO_DATABASE_URL, the coordinator, while no service runs. Make the extension and
add the workers first (docs/scaling.md). Users who exist move along. It can be repeated.`

const UNDOING = `
Set the clock right first: auto-close then closes each day and week again when it is due. Prints e-mail
address, days and weeks reopened.

Example:
  saldo admin undo-auto-close --since 2027-11-23T08:00:00Z
`

const mailLanguage = () =>
  new Option('--language <language>', 'the language of the mail, if the user has not chosen one')
    .choices(mailLanguages)
    .default('en')

/** The most shards that Citus makes of a table. */
const MAX_SHARDS = 64_000

function shardCount(text: string): number {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (count < 1 || count > MAX_SHARDS)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_SHARDS}.`)
  return count
}

/** Adds the operator's commands, which work on the database itself, to `saldo admin`. */
export function addAdminCommands(admin: Command): void {
  admin
    .command('migrate')
    .description('migrate the database to the current schema')
    .addHelpText('after', `${database} An older\ndatabase is first copied to a file beside it.`)
    .action(() => migrateDatabase())

  admin
    .command('backup')
    .description('copy the database into a new file, and check the copy')
    .addHelpText('after', database)
    .argument('<file>', 'the file to create; it must not exist')
    .action((file: string) => backUp(file))
  admin
    .command('restore')
    .description('replace the database by a copy')
    .addHelpText(
      'after',
      '\nUses the database in the folder SALDO_DATA_DIR (./data), while no service runs. The\n' +
        'old database is kept beside it.',
    )
    .argument('<file>', 'the copy')
    .action((file: string) => restore(file))
  admin
    .command('copy-database')
    .description('copy a database to another, such as from SQLite to PostgreSQL')
    .addHelpText('after', MOVING)
    .requiredOption('--from <place>', 'a SQLite file, or the URL of a PostgreSQL database')
    .requiredOption('--to <place>', 'the same; the database must be empty')
    .action(({ from, to }: { from: string; to: string }) => copyDatabaseFromTo(from, to))

  admin
    .command('distribute')
    .description('migrate a PostgreSQL database, and spread its users over the workers of Citus')
    .addHelpText('after', DISTRIBUTING)
    .requiredOption('--shards <number>', 'the parts that move between workers, such as 64; it stays', shardCount)
    .action(({ shards }: { shards: number }) => distribute(shards))

  admin
    .command('undo-auto-close')
    .description('reopen what auto-close closed at a time or later, such as while the clock was wrong')
    .addHelpText('after', UNDOING + database)
    .argument('[email]', 'the e-mail address of a user; all users without it')
    .requiredOption('--since <time>', 'the time by the clock that was in use, such as 2027-11-23T08:00:00Z')
    .action((email: string | undefined, { since }: { since: string }) => undoAutoClosing(since, email))

  const user = admin.command('user').description('add, invite, list, deactivate and erase users, and restore access')
  user
    .command('add')
    .description('add a user; create the database if there is none')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address to sign in with')
    .requiredOption('--password-stdin', 'read the password, of 10 to 128 characters, from standard input')
    .option('--name <name>', 'the name that the app shows')
    .action((email: string, options: { name?: string }) => addUser(email, options))
  user
    .command('invite')
    .description('add a user and print a link with which they set a password, once within 14 days; mail it if possible')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address to sign in with')
    .requiredOption('--name <name>', 'the name that the app shows')
    .addOption(mailLanguage())
    .action((email: string, options: { name: string; language: MailLanguage }) => inviteUser(email, options))
  user
    .command('link')
    .description('mail or print a link to set a password: a new invitation, or a reset within a day')
    .addHelpText('after', `${database} An earlier link of the user is no longer valid.`)
    .argument('<email>', 'the e-mail address of the user')
    .option('--show', 'print the link instead of mailing it')
    .addOption(mailLanguage())
    .action((email: string, options: { language: MailLanguage; show?: true }) => createLink(email, options))
  user
    .command('withdraw')
    .description('withdraw an invitation that nobody has used: the address is free at once')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => withdrawInvitation(email))
  user
    .command('change')
    .description('correct the name or the e-mail address of a user; the old address gets a notice')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .option('--name <name>', 'the new name')
    .option('--new-email <email>', 'the new address')
    .addOption(mailLanguage())
    .action((email: string, options: { name?: string; newEmail?: string; language: MailLanguage }) =>
      changeUserFacts(email, options),
    )
  user
    .command('export')
    .description('write everything that the service has of a user into a file, such as before erasing the account')
    .addHelpText('after', `${database} The file can be imported like a user's own export.`)
    .argument('<email>', 'the e-mail address of the user')
    .argument('<file>', 'the file to create; it must not exist')
    .action((email: string, file: string) => exportUser(email, file))
  user
    .command('list')
    .description('list users with role, state, last activity, bytes, second factor and date of erasure')
    .addHelpText('after', database)
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => listUsers(options))
  user
    .command('role')
    .description('make a user an admin, who manages the accounts of others in the app, or a user again')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .addArgument(new Argument('<role>', 'the role').choices(userRoles))
    .action((email: string, role: UserRole) => setRole(email, role))
  user
    .command('deactivate')
    .description('end all sessions of a user, and refuse sign-in, tokens and feeds until «reactivate»; the data stays')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => deactivateUser(email))
  user
    .command('reactivate')
    .description('let a deactivated user sign in again, and keep an account that was to be erased')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => reactivateUser(email))
  user
    .command('erase')
    .description('deactivate a user, and erase them with all their data in 14 days')
    .addHelpText('after', `${database} Until then «saldo admin user reactivate» keeps the account.`)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => eraseUser(email))
  user
    .command('set-password')
    .description('set a new password for a user, end their sessions and revoke their tokens')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .requiredOption('--password-stdin', 'read the password, of 10 to 128 characters, from standard input')
    .option('--keep-tokens', 'leave the tokens valid')
    .action((email: string, options: { keepTokens?: boolean }) => setPassword(email, options))
  user
    .command('end-sessions')
    .description('end all sessions of a user; tokens stay valid')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => endSessions(email))
  user
    .command('remove-second-factor')
    .description('let a user sign in without codes; make sure first that it is the user who asks')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => removeSecondFactor(email))
  user
    .command('remove-passkeys')
    .description('remove the passkeys of a user and end all sessions, for example after a theft')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => removePasskeys(email))
  user
    .command('remove-company-sign-in')
    .description('unlink a user from OpenID providers and end all sessions; the next sign-in may link again')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => removeCompanySignIn(email))

  const token = admin.command('token').description('add, list and revoke tokens of programs')
  token
    .command('add')
    .description('create a token and print it')
    .addHelpText('after', TOKEN_SCOPES + database)
    .argument('<email>', 'the e-mail address of the user')
    .requiredOption('--name <name>', 'the purpose of the token')
    .addOption(new Option('--scope <scope>', 'what the token may do').choices(tokenScopes).default('full'))
    .option('--expires <time>', 'when the token ends, such as 2027-11-23T08:00:00Z; never without it')
    .action((email: string, options: TokenOptions) => addToken(email, options))
  token
    .command('list')
    .description('list tokens: id, name, date of creation, time of last use (UTC), scope, end of validity')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .option('--json', 'print JSON')
    .action((email: string, options: { json?: true }) => listTokens(email, options))
  token
    .command('revoke')
    .description('revoke a token')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .argument('<id>', 'the id of the token, as listed')
    .action((email: string, id: string) => revokeToken(email, id))

  const feed = admin.command('feed').description('add, list and revoke calendar feeds')
  feed
    .command('add')
    .description('create a calendar feed and print its secret address')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .requiredOption('--name <name>', 'the name of the calendar')
    .option('--absences', 'show absences, with their kind in words')
    .option('--work', 'show work as busy time, without words')
    .addOption(new Option('--language <language>', 'the language of the words').choices(feedLanguages).default('en'))
    .action((email: string, options: FeedOptions) => addFeed(email, options))
  feed
    .command('list')
    .description('list feeds: id, name, content, date of creation, time of last use (UTC)')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .option('--json', 'print JSON')
    .action((email: string, options: { json?: true }) => listFeeds(email, options))
  feed
    .command('revoke')
    .description('revoke a feed')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .argument('<id>', 'the id of the feed, as listed')
    .action((email: string, id: string) => revokeFeed(email, id))

  const team = admin.command('team').description('list companies, replace an HR who was lost, make team pages anew')
  team
    .command('list')
    .description('list companies: number, name, number of members, addresses of HR')
    .addHelpText('after', database)
    .option('--json', 'print JSON')
    .action((options: { json?: true }) => listCompanies(options))
  team
    .command('hr')
    .description('make a user the HR of a company in place of those before; announced to all its members')
    .addHelpText('after', `${database} The role needs a second factor or company sign-in.`)
    .argument('<company>', 'the name or the number of the company, as listed')
    .argument('<email>', 'the e-mail address of the user')
    .action((company: string, email: string) => replaceHr(company, email))
  team
    .command('rebuild')
    .description('make what team pages show of all members anew from their records')
    .addHelpText('after', database)
    .action(() => rebuildTeamFacts())

  admin
    .command('trail')
    .description('check the trails of accounts')
    .command('verify')
    .description('check that no row of a trail is missing, changed or cut off; name the first that is')
    .addHelpText('after', database)
    .argument('[email]', 'the e-mail address of the user; all members of companies without it')
    .action((email: string | undefined) => verifyTrails(email))
}
