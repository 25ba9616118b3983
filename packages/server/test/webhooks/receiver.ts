import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** A request as a receiver got it. */
export interface Received {
  path: string
  headers: Record<string, string>
  body: string
}

/** Answers a request; without one, the answer is 204. */
type Answer = (response: ServerResponse, received: Received) => void

export interface Receiver {
  /** Host and port. */
  host: string
  /** The connections that were made, requests or not. */
  connections(): number
  /** Returns the requests at a path, in their order. */
  at(path: string): Received[]
  /** Returns the types of the bodies at a path, in their order. */
  typesAt(path: string): string[]
  answer(path: string, answer: Answer): void
  close(): Promise<void>
}

/** A program that receives webhooks: a real HTTP server, whose paths answer as a test wants. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const answers = new Map<string, Answer>()
  let connections = 0
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const path = request.url ?? ''
    const seen = { path, headers: request.headers as Record<string, string>, body: Buffer.concat(parts).toString() }
    received.push(seen)
    const answer = answers.get(path)
    if (answer) answer(response, seen)
    else response.writeHead(204).end()
  }
  const server = createServer((request, response) => void receive(request, response))
  server.on('connection', () => {
    connections += 1
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = (path: string) => received.filter((one) => one.path === path)
  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections: () => connections,
    at,
    typesAt: (path) => at(path).map(({ body }) => JSON.parse(body).type as string),
    answer: (path, answer) => void answers.set(path, answer),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** True if a secret signed a request, whenever that was. */
export function isSignedBy(secret: string, { headers, body }: Received): boolean {
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
  return headers['webhook-signature'] === new Webhook(secret).sign(headers['webhook-id'] ?? '', sentAt, body)
}

/** Answers with a status and nothing else. */
export const withStatus =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    void response.writeHead(status, headers).end()
