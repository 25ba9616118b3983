/* oxlint-disable typescript/no-unsafe-argument -- Commander hands over, as any, what the declarations below say. */
import { absenceKinds, accountScopes, reportGroups } from '@saldo/core'
import { Argument, type Command, Option } from 'commander'
import { nameKinds } from '../completion.ts'

const offline = `
Works on the copy of the account on this computer, also without a network. Then it tries for a second to
sync; --offline sends nothing.`

const adding = `
Reads the same lines as the field at the top of Today, in English or German:
  saldo add '9-12:30 Project #tag note'     saldo add 8-12 13-17 break 30
  saldo add 2h yesterday @Project           saldo add vacation Mon-Fri
Write a line with # between quotes: some shells take what follows for a comment.
If a line can mean several things, a terminal asks; elsewhere the exit code is 2 and --choose answers.
${offline}`

const signingIn = `
Reads a token from standard input, or asks for e-mail address and password and creates one. The token is stored
in a file that only you can read, in the folder saldo of XDG_CONFIG_HOME (~/.config); the copy of the account is
in the folder saldo of XDG_DATA_HOME (~/.local/share).

Examples:
  saldo login https://saldo.example
  saldo login https://saldo.example < token.txt
`

/** Adds the commands with which people record their time and look at their account. */
export function addUserCommands(saldo: Command): void {
  saldo
    .command('login')
    .description('sign in to a service, and copy the account to this computer')
    .addHelpText('after', signingIn)
    .argument('<url>', 'the service')
    .option('--email <email>', 'create a token; the password (and a code) is read from standard input')
    .addOption(new Option('--scope <scope>', 'what the created token may do').choices(accountScopes).default('record'))
    .option('--json', 'print JSON')
    .action(async (url, options) => (await import('./sign-in.ts')).login(url, options))
  saldo
    .command('logout')
    .description('delete the copy of the account and the token from this computer')
    .option('--force', 'also if the copy is damaged, or changes are not sent: they are lost')
    .action(async (options) => (await import('./sign-in.ts')).logout(options))
  common(saldo.command('start'))
    .description('start a timer; one that runs ends')
    .addHelpText('after', offline)
    .argument('[text...]', '@project, note and #tags')
    .option('--at <time>', "a time, with its date unless it is of today: 9:00, 'yesterday 09:00'")
    .action(async (text, options) => (await import('./timer.ts')).start(text, options))
  common(saldo.command('stop'))
    .description('stop the timer')
    .addHelpText(
      'after',
      `\nA timer that may be forgotten, since it runs for more than 12 hours, is asked about.\n${offline}`,
    )
    .option('--at <time>', "a time, with its date unless it is of today: 17:00, 'yesterday 17:00'; or now")
    .action(async (options) => (await import('./timer.ts')).stop(options))
  common(saldo.command('status'))
    .description('show the timer, today and the balance')
    .addHelpText('after', offline)
    .action(async (options) => (await import('./views.ts')).status(options))
  common(saldo.command('add'))
    .description('record work, breaks, a timer or absences by a line of text')
    .addHelpText('after', adding)
    .argument('<text...>', 'such as 9-12 Project #tag')
    .option('--date <date>', 'the date of a line that names none')
    .option('--choose <number>', 'the meaning of a line that has several')
    .action(async (text, options) => (await import('./add.ts')).add(text, options))
  common(saldo.command('edit'))
    .description('change or delete an entry')
    .addHelpText('after', `${offline} A line of text replaces times and words.`)
    .argument('<id>', 'the first characters of its id, as «saldo log» shows them; also of a rejected entry')
    .argument('[text...]', 'the entry as for «saldo add»')
    .option('--start <time>', 'another start')
    .option('--end <time>', 'another end')
    .option('--date <date>', 'another date')
    .option('--project <name>', "another project; '' for none")
    .option('--note <text>', 'another note')
    .option('--tags <tags>', 'other tags, separated by commas')
    .option('--choose <number>', 'the meaning of a line that has several')
    .option('--delete', 'delete the entry')
    .action(async (id, text, options) => (await import('./edit.ts')).edit(id, text, options))
  common(saldo.command('log'))
    .description('list entries, of the last seven days without options')
    .addHelpText('after', offline)
    .option('--from <date>', 'the first date, such as 2026-11-01 or Monday')
    .option('--to <date>', 'the last date')
    .action(async (options) => (await import('./views.ts')).log(options))
  common(saldo.command('week'))
    .description('show the days of a week and their sums')
    .addHelpText('after', offline)
    .argument('[week]', 'such as 2026-W47, a date in it, or last')
    .action(async (week, options) => (await import('./views.ts')).week(week, options))
  common(saldo.command('balance'))
    .description('show the balance')
    .addHelpText('after', offline)
    .action(async (options) => (await import('./views.ts')).balance(options))
  common(saldo.command('report'))
    .description('show the time of some dates by project, tag, day, week or month')
    .addHelpText('after', `${offline}\n\nExamples:\n  saldo report\n  saldo report 2026-10 --by tag --project Garden`)
    .argument('[dates...]', 'a month, a year, or dates, such as 2026-11, last week or 1.10.-15.11. (this month)')
    .addOption(new Option('--by <what>', 'what the lines are').choices(reportGroups).default('project'))
    .option('--project <name>', 'only of a project')
    .option('--tag <name>', 'only with a tag')
    .option('--words <words>', 'only with words in note, project or tags')
    .action(async (dates, options) => (await import('./report.ts')).report(dates, options))
  common(saldo.command('vacation'))
    .description('show the vacation account')
    .addHelpText('after', offline)
    .argument('[year]', 'the year (this one)')
    .action(async (year, options) => (await import('./views.ts')).vacation(year, options))
  common(saldo.command('absence'))
    .description('record days off; days without planned work are left out')
    .addHelpText(
      'after',
      `${offline}\n\nExamples:\n  saldo absence vacation 2026-12-24..2026-12-31\n  saldo absence krank heute`,
    )
    .addArgument(kindArgument())
    .argument('<dates...>', 'a date, or the first and the last: 2026-12-24..2026-12-31, 24.12.-31.12.')
    .option('--half', 'half of each day')
    .option('--hours <hours>', 'some hours of each day, such as 4')
    .option('--note <text>', 'a note')
    .action(async (kind, dates, options) => (await import('./absence.ts')).absence(kind, dates, options))
  saldo
    .command('sync')
    .description('sync until nothing is left to do; exit code 1 if that fails')
    .addOption(
      new Option('--retry-rejected', 'send changes again that the service rejected').conflicts('discardRejected'),
    )
    .option('--discard-rejected', 'forget changes that the service rejected')
    .option('--json', 'print JSON')
    .action(async (options) => (await import('./sync.ts')).sync(options))
  saldo
    .command('names', { hidden: true })
    .description('print the projects, tags or ids that a shell can complete')
    .addArgument(new Argument('<what>', 'the names').choices(nameKinds))
    .action(async (what) => (await import('./names.ts')).printNames(what))
}

/** Returns the argument of a kind: completed by its names, and read in the words of both languages. */
function kindArgument(): Argument {
  const argument = new Argument('<kind>', 'the kind, or a word for it such as Urlaub')
  return argument.choices(absenceKinds).argParser((text: string) => text)
}

function common(command: Command): Command {
  return command.option('--json', 'print JSON').option('--offline', 'send nothing')
}
