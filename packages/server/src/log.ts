import { createHmac } from 'node:crypto'
import { constants, fstatSync, openSync } from 'node:fs'
import pino from 'pino'
import type { Config } from './env.ts'
import type { UserId } from './store/store.ts'

/** What the service tells its operator. `error`: a person must look; `info`: state changed; `debug`: the rest. */
export interface Log {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/** How much is kept of lines that cannot be written now, in bytes; what is beyond is lost. */
const MAX_BACKLOG_BYTES = 1024 * 1024
/** When what could not be written is tried again, in milliseconds. */
const WRITE_AGAIN_MS = 100

/** JSON lines on stderr: stdout is for what a command is asked for. */
export function createLog(level: Config['logLevel']): Log {
  const stderr = pino.destination({
    fd: openStderr(),
    sync: true,
    maxLength: MAX_BACKLOG_BYTES,
    retryEAGAIN: () => false,
  })
  let isWaiting = false
  // It may lead to a disk that is full, or to somebody who does not read; that must not end the service, or hold it up.
  stderr.on('error', () => {
    if (isWaiting) return
    isWaiting = true
    setTimeout(() => {
      isWaiting = false
      stderr.write('')
    }, WRITE_AGAIN_MS).unref()
  })
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: told } }, stderr)
}

/** A pipe is opened anew, so that it can be one that is never waited for without being so for others who have it. */
function openStderr(): number {
  try {
    return fstatSync(2).isFIFO() ? openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK) : 2
  } catch {
    // Not on this system, or not for this user.
    return 2
  }
}

/** What is told of an error: not what else it carries, as PostgreSQL's do the row that was refused. */
function told(error: Error) {
  const { type, message, stack, code } = pino.stdSerializers.err(error)
  return { type, message, stack, code }
}

/** What stands for a user in the log; worked out only where a line is written. */
export interface LogName {
  toJSON(): string
}

/** How many hexadecimal digits stand for a user: enough to tell a million apart. */
const NAME_DIGITS = 12

/** Names users by a hash with the service's secret as its key: the log alone tells nobody who they are. */
export function logNames(secret: string): (user: UserId) => LogName {
  return (user) => ({
    toJSON: () => createHmac('sha256', secret).update(`user ${user}`).digest('hex').slice(0, NAME_DIGITS),
  })
}
