import { feedLanguages, type UserRole, userRoles } from '@saldo/core'
import { runService } from '@saldo/server'
import { Argument, Command, Option } from 'commander'
import { undoAutoClosing } from './auto-close.ts'
import { backUp, restore } from './backup.ts'
import { type ConformanceOptions, conform, reportFormats } from './conformance.ts'
import { type ExportOptions, exportToFile } from './export.ts'
import { addFeed, type FeedOptions, listFeeds, revokeFeed } from './feeds.ts'
import { type ImportOptions, importOrUndo } from './import.ts'
import { migrate } from './migrate.ts'
import { migrateDatabase } from './migrate-database.ts'
import { addToken, listTokens, revokeToken } from './tokens.ts'
import {
  addUser,
  createLink,
  deactivateUser,
  endSessions,
  eraseUser,
  inviteUser,
  listUsers,
  reactivateUser,
  removePasskeys,
  removeSecondFactor,
  setPassword,
  setRole,
} from './users.ts'

const settings = `
Settings come from the environment:
  SALDO_DATA_DIR           folder of the database (./data)
  SALDO_DATABASE_URL       a PostgreSQL database instead, such as postgresql://saldo@localhost/saldo
  SALDO_HOST, SALDO_PORT   where to listen (127.0.0.1, 7253)
  SALDO_PUBLIC_URL         where browsers reach the service; https: makes cookies Secure
  SALDO_SIGNUP             who can sign up: first, open or closed (first)
  SALDO_LOG_LEVEL          silent, error, warn, info or debug (info)
  SALDO_TRUSTED_PROXIES    number of trusted proxies in front of the service (0)
  SALDO_WRITES_PER_MINUTE  writing requests per user (600)
  SALDO_WRITE_MEGABYTES_PER_MINUTE  their megabytes per user (5)
  SALDO_USER_QUOTA         megabytes that a user can store (200)
  SALDO_FAILED_SIGN_INS    failed sign-ins per e-mail address in 15 minutes (10)
  SALDO_METRICS_PORT       port of GET /metrics (off)
  SALDO_METRICS_HOST       address of GET /metrics (127.0.0.1)
  SALDO_AUTH_SECRET        seals authenticator keys (kept in the data folder; required with PostgreSQL)`

const examples = `

Examples:
  saldo serve
  saldo user add ada@example.com --password-stdin < password.txt
  saldo token add ada@example.com --name laptop`

const database = `
Uses the database at SALDO_DATABASE_URL or in the folder SALDO_DATA_DIR (./data), also while the service runs.`

const MOVING = `
Stop the service first. Clients notice nothing. If the copy fails, the target stays empty; run the same
command again.

Example:
  saldo migrate-database --from data/saldo.db --to postgresql://saldo@localhost/saldo`

const UNDOING = `
Set the clock right first: auto-close then closes each day and week again when it is due. Prints e-mail
address, days and weeks reopened.

Example:
  saldo undo-auto-close --since 2027-11-23T08:00:00Z
`

const conformance = `
The account may be in use: the checks delete what they create and leave tombstones. Nothing else may write
to it meanwhile, and checks of the calendar need an account without records. The exit code is 1 if a check
fails. See docs/conformance.md, also for the protocol of a client's command.

Examples:
  saldo conformance https://saldo.example --token "$TOKEN"
  saldo conformance --client 'python3 my-client.py' --only D7 --format junit`

const clientOfService = `
The service and the token come from the options or from the environment:
  SALDO_URL    address of the service, such as https://saldo.example
  SALDO_TOKEN  a token of the account, from the app or «saldo token add»`

const exporting = `
Formats:
  json       everything, which «saldo import» reads into any service
  csv        one table: entries, days, weeks or ledger; durations in decimal hours
  xlsx       a workbook with all four tables, with formulas
  sheet      a workbook of a month to sign: needs --from and --to; --projects, --notes, --hints
  solidtime  the finished work, in the layout that solidtime and billing tools import
${clientOfService}

Examples:
  saldo export --output saldo.json
  saldo export --format csv --table days --from 2026-11-01 --to 2026-11-30 > november.csv
  saldo export --format xlsx --output 2026.xlsx --from 2026-01-01 --to 2026-12-31
`

const importing = `
Formats, which the file tells: Toggl Track, Clockify, Kimai, solidtime, Harvest and TimeTagger (CSV; solidtime also
ZIP), Timewarrior, Watson, ActivityWatch (AFK), iCalendar, Saldo's own export, and any other CSV.
${clientOfService}

If the file leaves something open, the exit code is 2 and nothing is imported. The same file adds nothing a
second time; if an import is cut off, run it again. Fields of --columns: date, start, startDate, startTime, end,
endDate, endTime, duration, hours, break, type, project, client, task, note, tags, user, email, firstName,
lastName.

Examples:
  saldo import toggl.csv --time-zone Europe/Berlin --dry-run
  saldo import hours.csv --columns 'date=Datum,start=Kommen,end=Gehen,note=Bemerkung'
  saldo import --undo toggl-f0d199f4-017e
`

/**
 * Returns the command line `saldo`. It throws errors of the arguments and of its actions; `main.ts` turns them into an
 * exit code.
 */
export function program(build: string): Command {
  const saldo = new Command('saldo')
    .description('Time tracking with a working-time account that works offline.')
    .version(build, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', settings + examples)
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })

  saldo
    .command('serve')
    .description('serve the API until told to stop')
    .addHelpText('after', settings)
    .action(() => runService(build))
  saldo
    .command('migrate')
    .description('migrate the database to the current schema')
    .addHelpText('after', `${database} An older\ndatabase is first copied to a file beside it.`)
    .action(() => migrate())

  saldo
    .command('backup')
    .description('copy the database into a new file, and check the copy')
    .addHelpText('after', database)
    .argument('<file>', 'the file to create; it must not exist')
    .action((file: string) => backUp(file))
  saldo
    .command('restore')
    .description('replace the database by a copy')
    .addHelpText(
      'after',
      `\nUses the database in the folder SALDO_DATA_DIR (./data), while no service runs. The\nold database is kept beside it.`,
    )
    .argument('<file>', 'the copy')
    .action((file: string) => restore(file))
  saldo
    .command('migrate-database')
    .description('copy a database to another, such as from SQLite to PostgreSQL')
    .addHelpText('after', MOVING)
    .requiredOption('--from <place>', 'a SQLite file, or the URL of a PostgreSQL database')
    .requiredOption('--to <place>', 'the same; the database must be empty')
    .action(({ from, to }: { from: string; to: string }) => migrateDatabase(from, to))

  saldo
    .command('undo-auto-close')
    .description('reopen what auto-close closed at a time or later, such as while the clock was wrong')
    .addHelpText('after', UNDOING + database)
    .argument('[email]', 'the e-mail address of a user; all users without it')
    .requiredOption('--since <time>', 'the time by the clock that was in use, such as 2027-11-23T08:00:00Z')
    .action((email: string | undefined, { since }: { since: string }) => undoAutoClosing(since, email))

  const user = saldo.command('user').description('add, invite, list, deactivate and erase users, and restore access')
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
    .description('add a user and print a link with which they set a password, once within 14 days')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address to sign in with')
    .requiredOption('--name <name>', 'the name that the app shows')
    .action((email: string, options: { name: string }) => inviteUser(email, options))
  user
    .command('link')
    .description('print a link to set a password: a new invitation, or a reset within a day')
    .addHelpText('after', `${database} An earlier link of the user is no longer valid.`)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => createLink(email))
  user
    .command('list')
    .description('list users: number, e-mail address, date of sign-up, name, role, state, last activity, bytes')
    .addHelpText('after', database)
    .action(() => listUsers())
  user
    .command('role')
    .description('make a user an admin, who manages the accounts of others in the app, or a user again')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .addArgument(new Argument('<role>', 'the role').choices(userRoles))
    .action((email: string, role: UserRole) => setRole(email, role))
  user
    .command('deactivate')
    .description('end all sessions of a user, revoke their tokens and feeds, and refuse sign-in; the data stays')
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
    .addHelpText('after', `${database} Until then «saldo user reactivate» keeps the account.`)
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

  const token = saldo.command('token').description('add, list and revoke tokens of programs')
  token
    .command('add')
    .description('create a token and print it')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .requiredOption('--name <name>', 'the purpose of the token')
    .action((email: string, { name }: { name: string }) => addToken(email, name))
  token
    .command('list')
    .description('list tokens: id, name, date of creation, time of last use (UTC)')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .action((email: string) => listTokens(email))
  token
    .command('revoke')
    .description('revoke a token')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .argument('<id>', 'the id of the token, as listed')
    .action((email: string, id: string) => revokeToken(email, id))

  const feed = saldo.command('feed').description('add, list and revoke calendar feeds')
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
    .action((email: string) => listFeeds(email))
  feed
    .command('revoke')
    .description('revoke a feed')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address of the user')
    .argument('<id>', 'the id of the feed, as listed')
    .action((email: string, id: string) => revokeFeed(email, id))

  saldo
    .command('import')
    .description('import the entries of another tool, or a Saldo export, or undo an import')
    .addHelpText('after', importing)
    .argument('[file]', 'the file')
    .option('--format <format>', 'the format, if the file shall not tell it')
    .option('--columns <pairs>', 'the columns of a CSV that Saldo does not know, such as date=Datum')
    .option('--time-zone <zone>', 'the zone of times without one (that of the account, else of this computer)')
    .option('--user <name>', 'the user whose rows to import, if there are several')
    .addOption(new Option('--date-order <order>', 'the order of day and month').choices(['dmy', 'mdy']))
    .addOption(
      new Option('--durations <how>', 'rows without times: one after another from 9:00, or as they are').choices([
        'sequential',
        'as-is',
      ]),
    )
    .option('--dry-run', 'import nothing, and print the effect')
    .option('--json', 'print JSON')
    .option('--undo <batch>', 'delete the entries of an import')
    .option('--url <url>', 'the address of the service')
    .option('--token <token>', 'a token of the account')
    .action((file: string | undefined, options: ImportOptions) => importOrUndo(file, options))

  saldo
    .command('export')
    .description('export the account of a token')
    .addHelpText('after', exporting)
    .addOption(
      new Option('--format <format>', 'the format')
        .choices(['json', 'csv', 'xlsx', 'sheet', 'solidtime'])
        .default('json'),
    )
    .addOption(
      new Option('--table <table>', 'the table of a CSV')
        .choices(['entries', 'days', 'weeks', 'ledger'])
        .default('entries'),
    )
    .option('--from <date>', 'the first date of a table, such as 2026-11-01')
    .option('--to <date>', 'the last date of a table')
    .option('--projects', 'name projects on a sheet')
    .option('--notes', 'put notes on a sheet')
    .option('--hints', 'put hints of working-time law on a sheet')
    .option('--output <file>', 'the file to write, else standard output')
    .option('--url <url>', 'the address of the service')
    .option('--token <token>', 'a token of the account')
    .action((options: ExportOptions) => exportToFile(options))

  saldo
    .command('conformance')
    .description('check a service, or a client, against the contract')
    .addHelpText('after', conformance)
    .argument('[url]', 'the service')
    .option('--token <token>', 'a token of the account to use')
    .option('--other-token <token>', 'a token of another account, to check that users do not see each other')
    .option(
      '--advance-clock <command>',
      'a command that advances the service’s clock by the milliseconds in its last argument',
    )
    .option('--client <command>', 'check a client instead, which this command drives')
    .option(
      '--only <what>',
      'only checks of a rule (R3.5), of rules with this prefix, or with this text in their title',
    )
    .option('--bail', 'stop at the first failed check')
    .addOption(new Option('--format <format>', 'the format of the report').choices(reportFormats).default('text'))
    .action((url: string | undefined, options: ConformanceOptions) => conform(url, options))
  return saldo
}
