import { type Clock, fieldOf, type Instant, instantOf, type MailDelivery, type MailLanguage } from '@saldo/core'
import { adviceFor } from '../error-text.ts'
import type { Log } from '../log.ts'
import { type Meter, noMeter } from '../meter.ts'
import { type Letter, writeLetter } from './letters.ts'
import { readSmtpUrl, type SmtpServer } from './smtp-url.ts'

/** Mails on their way when the service stops may take this long. */
const LAST_MAILS_MS = 5_000

/** The settings of mail; `undefined` where the service sends none. */
export interface MailSettings {
  smtpUrl: string | undefined
  mailFrom: string | undefined
  publicUrl: string | undefined
  /** The language of a company's mails to somebody who has chosen none (D24.21); English if it is not given. */
  mailLanguage?: MailLanguage
}

/** A mail that the SMTP server did not take. `reason` is a code such as `ECONNECTION` or `550`, without an address. */
export interface MailFailure {
  at: Instant
  reason: string
}

/** Sends mails by an SMTP server, after the work that they tell of is committed. It never throws and never retries. */
export class Mailer {
  readonly #server: SmtpServer | undefined
  readonly #from: string
  readonly companyLanguage: MailLanguage
  readonly #publicUrl: string
  readonly #clock: Clock
  readonly #log: Pick<Log, 'error'> | undefined
  readonly #meter: Pick<Meter, 'mailed'>
  readonly #pending = new Set<Promise<unknown>>()
  #lastFailure: MailFailure | null = null

  constructor(
    { smtpUrl, mailFrom, publicUrl, mailLanguage = 'en' }: MailSettings,
    clock: Clock,
    log?: Pick<Log, 'error'>,
    meter: Pick<Meter, 'mailed'> = noMeter,
  ) {
    const isOn = smtpUrl !== undefined && mailFrom !== undefined && publicUrl !== undefined
    this.#server = isOn ? readSmtpUrl(smtpUrl) : undefined
    this.#from = mailFrom ?? ''
    this.companyLanguage = mailLanguage
    this.#publicUrl = publicUrl ?? ''
    this.#clock = clock
    this.#log = log
    this.#meter = meter
  }

  /** True if the service has an SMTP server, a sender, and a public URL for links. */
  get isOn(): boolean {
    return this.#server !== undefined
  }

  /** The last failure since the start or the last mail that was sent; null if there is none. */
  get lastFailure(): MailFailure | null {
    return this.#lastFailure
  }

  /** Returns the address of a page of the app, or of the service without a path. */
  url(path = ''): string {
    return `${this.#publicUrl}${path}`
  }

  /** Sends a letter. Logs a failure without the address, which an SMTP server's response can have. */
  async send(to: string, letter: Letter, language: MailLanguage): Promise<MailDelivery> {
    const server = this.#server
    if (!server) return 'failed'
    try {
      const { sendBySmtp } = await import('./smtp.ts')
      await sendBySmtp(server, { from: this.#from, to, ...writeLetter(letter, language) })
      this.#lastFailure = null
      this.#meter.mailed('sent')
      return 'sent'
    } catch (error) {
      const reason = reasonOf(error)
      this.#lastFailure = { at: instantOf(this.#clock.now()), reason }
      this.#meter.mailed('failed')
      this.#log?.error({ letter: letter.kind, reason }, `sending a mail failed${adviceFor(reason)}`)
      return 'failed'
    }
  }

  /** Runs work that ends with a mail after the response of a request, so that the response tells nothing of it. */
  later(work: () => Promise<unknown>): void {
    const pending = (async () => {
      await new Promise((resolve) => setImmediate(resolve))
      await work()
    })()
      .catch((error: unknown) => this.#log?.error({ err: error }, 'preparing a mail failed'))
      .finally(() => this.#pending.delete(pending))
    this.#pending.add(pending)
  }

  /** Waits for the mails on their way, within 5 s. */
  async close(): Promise<void> {
    if (this.#pending.size === 0) return
    const { promise: timedOut, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, LAST_MAILS_MS)
    await Promise.race([Promise.all(this.#pending), timedOut])
    clearTimeout(timer)
  }
}

/** Returns the SMTP status or nodemailer's code of an error; the name of any other error. */
function reasonOf(error: unknown): string {
  const [responseCode, code, name] = ['responseCode', 'code', 'name'].map((field) => fieldOf(error, field))
  return String(responseCode ?? code ?? name)
}
