/** The way to reach the server that takes mails (RFC 6409), from `SALDO_SMTP_URL`. */
export interface SmtpServer {
  host: string
  port: number
  /** `implicit` from the first byte (RFC 8314), `required` by STARTTLS, or `none`. */
  tls: 'implicit' | 'required' | 'none'
  login: { user: string; password: string } | undefined
}

const DEFAULT_PORTS = { 'smtps:': 465, 'smtp:': 587 } as const

/**
 * Reads an SMTP URL such as `smtps://user:password@mail.example.com`. `smtp:` needs STARTTLS, except on this computer
 * or with `?tls=none`, because a mail holds the way into an account. Returns `undefined` for any other text.
 */
export function readSmtpUrl(text: string): SmtpServer | undefined {
  const url = URL.parse(text)
  const protocol = url?.protocol
  if (!url || url.hostname === '' || !/^\/?$/.test(url.pathname) || url.hash !== '') return undefined
  if (protocol !== 'smtp:' && protocol !== 'smtps:') return undefined
  if (url.search !== '' && !(url.search === '?tls=none' && protocol === 'smtp:')) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const isPlain = url.search !== '' || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host)
  const login = { user: decode(url.username), password: decode(url.password) }
  if (login.user === undefined || login.password === undefined) return undefined
  return {
    host,
    port: url.port === '' ? DEFAULT_PORTS[protocol] : Number(url.port),
    tls: protocol === 'smtps:' ? 'implicit' : isPlain ? 'none' : 'required',
    login: login.user === '' ? undefined : { user: login.user, password: login.password },
  }
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
