import { runService } from '@saldo/server'
import { Command } from 'commander'
import { backUp, restore } from './backup.ts'
import { migrate } from './migrate.ts'
import { addToken, listTokens, revokeToken } from './tokens.ts'
import { addUser, listUsers } from './users.ts'

const settings = `
Settings come from the environment:
  SALDO_DATA_DIR           folder of the database (./data)
  SALDO_HOST, SALDO_PORT   where to listen (127.0.0.1, 7253)
  SALDO_PUBLIC_URL         where browsers reach the service; https: makes cookies Secure
  SALDO_SIGNUP             who can sign up: first, open or closed (first)
  SALDO_LOG_LEVEL          silent, error, warn, info or debug (info)
  SALDO_TRUSTED_PROXIES    how many proxies before the service are believed (0)
  SALDO_WRITES_PER_MINUTE  writing requests of one user (6000)
  SALDO_FAILED_SIGN_INS    failed sign-ins of one e-mail address in 15 minutes (10)
  SALDO_METRICS_PORT       where GET /metrics is answered (nowhere)
  SALDO_METRICS_HOST       on which address that is (127.0.0.1)
  SALDO_AUTH_SECRET        signs session cookies (kept in the data folder)`

const examples = `

Examples:
  saldo serve
  saldo user add ada@example.com --password-stdin < password.txt
  saldo token add ada@example.com --name laptop`

const database = `
Uses the database in the folder SALDO_DATA_DIR (./data), also while the service runs.`

/**
 * The command line `saldo`. It throws what is wrong with the arguments, and what its actions throw; `main.ts` turns that
 * into a line and an exit code.
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
    .description('bring the database to the current schema')
    .addHelpText('after', `${database} A database of an older\nlevel is copied beside itself first.`)
    .action(() => migrate())

  saldo
    .command('backup')
    .description('copy the database into a new file, and check the copy')
    .addHelpText('after', database)
    .argument('<file>', 'where the copy goes; nothing may be there')
    .action((file: string) => backUp(file))
  saldo
    .command('restore')
    .description('put a copy in the place of the database')
    .addHelpText(
      'after',
      `\nUses the database in the folder SALDO_DATA_DIR (./data), while no service runs. What was\nthere is kept beside it.`,
    )
    .argument('<file>', 'the copy')
    .action((file: string) => restore(file))

  const user = saldo.command('user').description('add and list users')
  user
    .command('add')
    .description('add a user, and the database where there is none')
    .addHelpText('after', database)
    .argument('<email>', 'the e-mail address to sign in with')
    .requiredOption('--password-stdin', 'read the password, of 10 to 128 characters, from standard input')
    .action((email: string) => addUser(email))
  user
    .command('list')
    .description('list users: number, e-mail address, date of sign-up')
    .addHelpText('after', database)
    .action(() => listUsers())

  const token = saldo.command('token').description('add, list and revoke tokens of programs')
  token
    .command('add')
    .description('make a token and print it, alone')
    .addHelpText('after', database)
    .argument('<email>', 'whose token it is')
    .requiredOption('--name <name>', 'what it is for')
    .action((email: string, { name }: { name: string }) => addToken(email, name))
  token
    .command('list')
    .description('list tokens: id, name, date of creation, date of last use')
    .addHelpText('after', database)
    .argument('<email>', 'whose tokens')
    .action((email: string) => listTokens(email))
  token
    .command('revoke')
    .description('revoke a token')
    .addHelpText('after', database)
    .argument('<email>', 'whose token it is')
    .argument('<id>', 'its id, as listed')
    .action((email: string, id: string) => revokeToken(email, id))
  return saldo
}
