import { runService } from '@saldo/server'
import { Command } from 'commander'
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
  SALDO_AUTH_SECRET        signs session cookies (kept in the data folder)`

const examples = `
Examples:
  saldo serve
  echo 'correct horse battery' | saldo user add ada@example.com --password-stdin
  saldo token add ada@example.com --name laptop`

/** The command line `saldo`. Its actions throw; `main.ts` turns what they throw into a line and an exit code. */
export function program(build: string): Command {
  const saldo = new Command('saldo')
    .description('Time tracking with a working-time account that works offline.')
    .version(build, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', settings + examples)
    .exitOverride()

  saldo
    .command('serve')
    .description('serve the API until told to stop')
    .action(() => runService(build))
  saldo
    .command('migrate')
    .description('bring the database to the current schema')
    .action(() => migrate())

  const user = saldo.command('user').description('add and list users')
  user
    .command('add')
    .description('add a user')
    .argument('<email>', 'the e-mail address to sign in with')
    .requiredOption('--password-stdin', 'read the password from standard input')
    .action((email: string) => addUser(email))
  user
    .command('list')
    .description('list users: number, e-mail address, date of sign-up')
    .action(() => listUsers())

  const token = saldo.command('token').description('add, list and revoke tokens of programs')
  token
    .command('add')
    .description('make a token and print it, alone')
    .argument('<email>', 'whose token it is')
    .requiredOption('--name <name>', 'what it is for')
    .action((email: string, { name }: { name: string }) => addToken(email, name))
  token
    .command('list')
    .description('list tokens: id, name, date of creation, date of last use')
    .argument('<email>', 'whose tokens')
    .action((email: string) => listTokens(email))
  token
    .command('revoke')
    .description('revoke a token')
    .argument('<email>', 'whose token it is')
    .argument('<id>', 'its id, as listed')
    .action((email: string, id: string) => revokeToken(email, id))
  return saldo
}
