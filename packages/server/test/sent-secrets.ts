import querystring from 'node:querystring'
import { inspect } from 'node:util'

/** The fields of bodies, sent or answered, whose values nobody may find in a log. */
const SECRET_FIELDS = new Set(['password', 'current_password', 'new_password', 'setup_code', 'token', 'path'])
/** Shorter values stand in many texts by chance, such as the wrong passwords `x` and `wrong`. */
const SHORTEST = 8

/** The passwords, tokens and cookies that went through a service, sought in what it logged. */
export class SentSecrets {
  readonly #values = new Set<string>()

  /** Remembers what a request or an answer carried; `body` is the JSON of it, if any. */
  note(headers: Headers, body: unknown): void {
    this.#add(headers.get('authorization')?.replace(/^\w+ /, ''))
    const pairs = [...(headers.get('cookie')?.split('; ') ?? []), ...headers.getSetCookie()]
    for (const pair of pairs) this.#add(/=([^;]*)/.exec(pair)?.[1])
    if (typeof body !== 'object' || body === null) return
    for (const [name, value] of Object.entries(body)) if (SECRET_FIELDS.has(name)) this.#add(value)
  }

  /** Those that stand in what was logged, as they were sent or decoded. */
  in(logged: unknown): string[] {
    const text = inspect(logged, { depth: null, maxArrayLength: null, maxStringLength: null, breakLength: Infinity })
    return [...this.#values].filter((value) => text.includes(value))
  }

  #add(value: unknown): void {
    if (typeof value !== 'string' || value.length < SHORTEST) return
    this.#values.add(value)
    // A cookie holds a part that the database knows, and its signature.
    for (const part of querystring.unescape(value).split('.')) if (part.length >= SHORTEST) this.#values.add(part)
  }
}
