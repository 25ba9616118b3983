import { Argument, Command, Option } from 'commander'
import { completionFor, shells } from './completion.ts'
import type { ConformanceOptions } from './conformance.ts'
import type { ExportOptions } from './export.ts'
import type { ImportCommandOptions } from './import.ts'
import { manualOf } from './manual.ts'
import { exportFormats, numberUnits, reportFormats, tables } from './option-values.ts'
import { addUserCommands } from './user/commands.ts'

const settings = `
Settings come from the environment:
  SALDO_DATA_DIR           folder of the database (./data)
  SALDO_DATABASE_URL       a PostgreSQL database instead, such as postgresql://saldo@localhost/saldo
  SALDO_DATABASE_CONNECTIONS  connections of a node to it for transactions (16)
  SALDO_EVENT_STREAMS      open event streams of a node (5000)
  SALDO_HOST, SALDO_PORT   where to listen (127.0.0.1, 7253)
  SALDO_PUBLIC_URL         where browsers reach the service; https: makes cookies Secure
  SALDO_ALLOWED_ORIGINS    origins of other pages that may use the API with a token, with commas (none)
  SALDO_PRIVATE_WEBHOOK_HOSTS
                           hosts that webhooks may reach at private addresses, with commas (none)
  SALDO_SIGNUP             who can sign up: first, open or closed (first)
  SALDO_DEMO               1: a demo that everybody shares, reset every hour (0)
  SALDO_LOG_LEVEL          silent, error, warn, info or debug (info)
  SALDO_TRUSTED_PROXIES    number of trusted proxies in front of the service (0)
  SALDO_WRITES_PER_MINUTE  writing requests of a user's sessions, and of their tokens (600)
  SALDO_WRITE_MEGABYTES_PER_MINUTE  their megabytes per user (5)
  SALDO_USER_QUOTA         megabytes that a user can store (200)
  SALDO_FAILED_SIGN_INS    failed sign-ins per e-mail address in 15 minutes (10)
  SALDO_SMTP_URL           server that sends mails, such as smtps://user:password@mail.example.com (none)
  SALDO_MAIL_FROM          sender of mails, such as Saldo <saldo@example.com>
  SALDO_MAIL_LANGUAGE      en or de: a company's mails to people who have chosen no language (en)
  SALDO_METRICS_PORT       port of GET /metrics (off)
  SALDO_METRICS_HOST       address of GET /metrics (127.0.0.1)
  SALDO_AUTH_SECRET        seals authenticator keys (kept in the data folder; required with PostgreSQL)

Company sign-in at an OpenID provider (docs/operations.md); of a second provider, names end in _2, and so on to _9:
  SALDO_OIDC_ISSUER          URL of the provider; needs SALDO_PUBLIC_URL
  SALDO_OIDC_CLIENT_ID       id of Saldo at the provider
  SALDO_OIDC_CLIENT_SECRET   its secret
  SALDO_OIDC_LABEL           name of the provider on the button
  SALDO_OIDC_DOMAINS         domains whose people get an account at the first sign-in (none)
  SALDO_OIDC_LINKING         yes: a verified address opens the account that has it (no)
  SALDO_OIDC_SCOPE           scopes to ask for (openid email profile)
  SALDO_OIDC_VERIFIED_CLAIM  claim that says that the address is verified (email_verified)
  SALDO_OIDC_GROUPS_CLAIM    claim with the person's groups (groups)
  SALDO_OIDC_ADMIN_GROUP     group whose members are admins, and nobody else (none)
  SALDO_OIDC_ONLY            yes: neither passwords nor passkeys nor sign-up (no)`

const examples = `

Examples:
  saldo login https://saldo.example
  saldo add '9-12:30 Project #tag'
  saldo serve
  saldo admin user add ada@example.com --password-stdin < password.txt
  saldo admin token add ada@example.com --name laptop`

const conformance = `
The account may be in use: the checks delete what they create and leave tombstones. Nothing else may write
to it meanwhile, and checks of the calendar need an account without records. The exit code is 1 if a check
fails. See docs/conformance.md, also for the protocol of a client's command.

Examples:
  saldo conformance https://saldo.example --token "$TOKEN"
  saldo conformance --client 'python3 my-client.py' --only D7 --format junit`

const clientOfService = `
The service and the token come from the options, from the environment, or from «saldo login»:
  SALDO_URL    address of the service, such as https://saldo.example
  SALDO_TOKEN  a token of the account, from the app or «saldo admin token add»`

const exporting = `
Formats:
  json       everything, which «saldo import» reads into any service
  csv        one table: entries, days, weeks or ledger; durations in decimal hours
  xlsx       a workbook with all four tables, with formulas
  sheet      a workbook of a month to sign: needs --from and --to; --projects, --notes, --hints
  solidtime  finished work that counts, without breaks, in the layout of solidtime and billing tools
${clientOfService}

Examples:
  saldo export --output saldo.json
  saldo export --format csv --table days --from 2026-11-01 --to 2026-11-30 > november.csv
  saldo export --format xlsx --output 2026.xlsx --from 2026-01-01 --to 2026-12-31
`

const ASSISTANT = `
The assistant starts this command. It needs the service and a token in the environment:
  SALDO_URL    address of the service, such as https://saldo.example
  SALDO_TOKEN  a token with the scope record, or read to only read

Every change is shown to you before it is stored. See docs/assistants.md.`

const importing = `
Formats, which the file tells: Toggl Track, Clockify, Kimai, solidtime, Harvest and TimeTagger (CSV; solidtime also
ZIP), Timewarrior, Watson, ActivityWatch (AFK), iCalendar, Saldo's own export, and any other CSV.
${clientOfService}

If the file leaves something open, the exit code is 2 and nothing is imported. The same file adds nothing a
second time; if an import is cut off, run it again. A column whose name comes again, with a number or without,
is a further pair of times. Fields of --columns: date, start, startDate, startTime, end,
endDate, endTime, allDay, timeZone, duration, hours, minutes, break, breakStart,
breakEnd, type, project, client, task, note, tags,
user, email, firstName, lastName.

Examples:
  saldo import toggl.csv --time-zone Europe/Berlin --dry-run
  saldo import hours.csv --columns 'date=Datum,start=Kommen,end=Gehen,note=Bemerkung'
  saldo import --undo toggl-f0d199f4-017e
`

/**
 * Returns the command line `saldo`. It throws errors of the arguments and of its actions; `main.ts` turns them into an
 * exit code. Each command loads what does its work when it runs: others start faster, and a service needs less memory.
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

  addUserCommands(saldo)
  saldo
    .command('completion')
    .description('print the script that completes saldo in a shell')
    .addHelpText('after', '\nExample:\n  eval "$(saldo completion bash)"\n')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .action((shell: (typeof shells)[number]) => printCompletion(shell, saldo))
  saldo
    .command('manual')
    .description('print the manual page')
    .addHelpText('after', '\nExample:\n  saldo manual | man -l -\n')
    .action(() => printManual(saldo, build))
  saldo
    .command('serve')
    .description('serve the API until told to stop')
    .addHelpText('after', settings)
    .action(async () => (await import('@saldo/server')).runService(build))
  saldo.command('admin').description('manage the database, users, tokens and feeds of a service')
  saldo.hook('preSubcommand', async (_saldo, command) => {
    if (command.name() === 'admin') (await import('./admin.ts')).addAdminCommands(command)
  })

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
    .addOption(new Option('--duration-unit <unit>', 'the unit of durations that are bare numbers').choices(numberUnits))
    .addOption(new Option('--break-unit <unit>', 'the unit of breaks that are bare numbers').choices(numberUnits))
    .option('--dry-run', 'import nothing, and print the effect')
    .option('--json', 'print JSON')
    .option('--undo <batch>', 'delete the entries of an import')
    .option('--url <url>', 'the address of the service')
    .option('--token <token>', 'a token of the account')
    .action(async (file: string | undefined, options: ImportCommandOptions) =>
      (await import('./import.ts')).importOrUndo(file, options),
    )

  saldo
    .command('export')
    .description('export the account of a token')
    .addHelpText('after', exporting)
    .addOption(new Option('--format <format>', 'the format').choices(exportFormats).default('json'))
    .addOption(new Option('--table <table>', 'the table of a CSV').choices(tables).default('entries'))
    .option('--from <date>', 'the first date of a table, such as 2026-11-01')
    .option('--to <date>', 'the last date of a table')
    .option('--projects', 'name projects on a sheet')
    .option('--notes', 'put notes on a sheet')
    .option('--hints', 'put hints of working-time law on a sheet')
    .option('--output <file>', 'the file to write, else standard output')
    .option('--url <url>', 'the address of the service')
    .option('--token <token>', 'a token of the account')
    .action(async (options: ExportOptions) => (await import('./export.ts')).exportToFile(options))

  saldo
    .command('mcp')
    .description('let an assistant read the account and record time, over the Model Context Protocol (stdio)')
    .addHelpText('after', ASSISTANT)
    .action(async () => (await import('./mcp.ts')).serveAssistant(build))

  saldo
    .command('conformance')
    .description('check a service, or a client, against the contract')
    .addHelpText('after', conformance)
    .argument('[url]', 'the service')
    .option('--token <token>', 'a token of the account to use')
    .option('--other-token <token>', 'a token of another account, to check that users do not see each other')
    .option('--team <file>', 'a JSON file with the cookies of the users of a company')
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
    .action(async (url: string | undefined, options: ConformanceOptions) =>
      (await import('./conformance.ts')).conform(url, options),
    )
  return saldo
}

/** Runs a command line. Throws what `program` throws. */
export async function run(args: readonly string[], build: string): Promise<void> {
  // The help of a command may have to be loaded first, so it is asked from the command itself.
  const [first, ...command] = args
  await program(build).parseAsync(first === 'help' ? [...command, '--help'] : args, { from: 'user' })
}

async function printCompletion(shell: (typeof shells)[number], saldo: Command): Promise<void> {
  await loadAllCommands(saldo)
  process.stdout.write(completionFor(shell, saldo))
}

async function printManual(saldo: Command, build: string): Promise<void> {
  await loadAllCommands(saldo)
  process.stdout.write(manualOf(saldo, build))
}

async function loadAllCommands(saldo: Command): Promise<void> {
  const admin = saldo.commands.find((command) => command.name() === 'admin')
  if (admin) (await import('./admin.ts')).addAdminCommands(admin)
}
