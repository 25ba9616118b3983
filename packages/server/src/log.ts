import pino from 'pino'
import type { Config } from './env.ts'

/** What the service tells its operator. `error`: a person must look; `info`: state changed; `debug`: the rest. */
export interface Log {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/** JSON lines on stderr: stdout is for what a command is asked for. */
export function createLog(level: Config['logLevel']): Log {
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, pino.destination({ fd: 2, sync: true }))
}
