import { type AddressInfo, createServer } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

/** A real SMTP server on this computer, and the mails that it took. */
export interface MailBox {
  /** For `SALDO_SMTP_URL`. */
  url: string
  port: number
  mails: Email[]
  /** The mails to an address. */
  to(address: string): Email[]
}

/** Starts an SMTP server that ends with the test. It refuses recipients whose address begins with `refused`. */
export async function openMailBox(): Promise<MailBox> {
  const mails: Email[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _session, done) {
      const refusal = Object.assign(new Error(`<${address}>: no such mailbox`), { responseCode: 550 })
      done(address.startsWith('refused') ? refusal : undefined)
    },
    onData(stream, _session, done) {
      void (async () => {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk as Buffer)
        mails.push(await PostalMime.parse(Buffer.concat(chunks)))
        done()
      })()
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  const to = (address: string) => mails.filter((mail) => mail.to?.some((recipient) => recipient.address === address))
  return { url: `smtp://127.0.0.1:${port}`, port, mails, to }
}

/** Starts a server that accepts connections and never says anything. Returns its URL. */
export async function openSilentServer(): Promise<string> {
  const sockets = new Set<{ destroy(): void }>()
  const server = createServer((socket) => void sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}
