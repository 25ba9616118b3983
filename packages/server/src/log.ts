import { createHmac } from 'node:crypto'
import { constants, fstatSync, openSync } from 'node:fs'
import { type Clock, type EpochMs, fieldOf, type UserNumber } from '@saldo/core'
import pino from 'pino'
import type { Config } from './env.ts'
import { errorText } from './error-text.ts'
import { ClosedError, UnavailableError } from './errors.ts'

/** The log for the operator. `error`: a person must look; `info`: state changed; `debug`: everything else. */
export type Log = Record<'error' | 'warn' | 'info' | 'debug', (fields: object, message: string) => void>

/** Lines that cannot be written wait in memory up to this size; further ones are lost. */
const MAX_BACKLOG_BYTES = 1024 * 1024
const RETRY_MS = 100

/**
 * Creates a log of JSON lines on stderr; stdout is for the output of commands. Neither a full disk behind stderr nor a
 * reader that does not read may stop or delay the service.
 */
export function createLog(level: Config['logLevel']): Log {
  const stderr = pino.destination({
    fd: openStderr(),
    sync: true,
    maxLength: MAX_BACKLOG_BYTES,
    retryEAGAIN: () => false,
  })
  let isRetryPlanned = false
  stderr.on('error', () => {
    if (isRetryPlanned) return
    isRetryPlanned = true
    setTimeout(() => {
      isRetryPlanned = false
      stderr.write('')
    }, RETRY_MS).unref()
  })
  const formatters = { level: (label: string) => ({ level: label }) }
  return pino(
    { level, base: null, formatters, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: logFieldsOf } },
    stderr,
  )
}

/** Returns a non-blocking descriptor if stderr is a pipe: a new one, because other processes share descriptor 2. */
function openStderr(): number {
  try {
    return fstatSync(2).isFIFO() ? openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK) : 2
  } catch {
    // Other systems have no /proc, and another user may own the pipe.
    return 2
  }
}

/** Returns the loggable fields of an error. Other fields may hold data, as PostgreSQL's errors hold the refused row. */
function logFieldsOf(error: Error) {
  const { type, message, stack } = pino.stdSerializers.err(error)
  // The message has those of all causes, but nothing of several addresses that were tried.
  const several = causesOf(error).find((cause) => cause instanceof AggregateError)
  return { type, message: several ? `${message}${errorText(several)}` : message, stack, code: fieldOf(error, 'code') }
}

function causesOf(error: unknown): Error[] {
  return error instanceof Error ? [error, ...causesOf(error.cause)] : []
}

/** Hexadecimal digits of a pseudonym: enough to distinguish a million users. */
const PSEUDONYM_DIGITS = 12

/** Returns a function that gives each user a pseudonym, keyed with the service's secret: the log identifies nobody. */
export function logNames(secret: string): (user: UserNumber) => string {
  return (user) => createHmac('sha256', secret).update(`user ${user}`).digest('hex').slice(0, PSEUDONYM_DIGITS)
}

/** During an outage of the database, one failure is logged in this period. */
const OUTAGE_EVERY_MS = 60_000

/**
 * Logs failures; one that only shows that the service stops is none to act on. During an outage of the database, it
 * logs one a minute, and how many it left out.
 */
export class FailureLog {
  readonly #log: Log
  readonly #clock: Clock
  #loggedMs: EpochMs = Number.NEGATIVE_INFINITY
  #suppressed = 0

  constructor(log: Log, clock: Clock) {
    this.#log = log
    this.#clock = clock
  }

  /** Logs an error; `fields` say where it happened. */
  log(error: unknown, fields: object, message: string): void {
    if (error instanceof ClosedError) {
      this.#log.info({ ...fields, err: error }, message)
      return
    }
    if (!(error instanceof UnavailableError)) {
      this.#log.error({ ...fields, err: error }, message)
      return
    }
    const nowMs = this.#clock.now()
    if (Math.abs(nowMs - this.#loggedMs) < OUTAGE_EVERY_MS) {
      this.#suppressed += 1
      return
    }
    this.#log.error({ ...fields, suppressed: this.#suppressed, err: error }, message)
    this.#loggedMs = nowMs
    this.#suppressed = 0
  }
}
