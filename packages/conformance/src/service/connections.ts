import { connect as connectTcp } from 'node:net'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { assertEqual, type Check } from '../check.ts'
import { resources, type ServiceSession } from './session.ts'

const { path, content, other } = resources.entries

/** A user may have this many requests waiting (D1.29). The check sends half of them, which proxies let through. */
const MANY_REQUESTS = 200

/** Checks of many requests at once: on one connection, and of one user. */
export const connectionChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['D1.28'],
    title: 'pipelined requests are handled one after another, each with what the ones before it left',
    async run(session) {
      const { id } = await session.create('entries', content)
      const one = `${path}/${id}`
      const requests = [
        requestText(session, 'PUT', one, JSON.stringify(other)),
        requestText(session, 'GET', one),
        requestText(session, 'DELETE', one),
        requestText(session, 'GET', one, undefined, 'close'),
      ]
      const answers = await sendTogether(session.url, requests)
      const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
      assertEqual(statuses, [200, 200, 204, 404], 'the answers to an edit, a read, a deletion and a read')
    },
  },
  {
    rules: ['D1.29'],
    title: 'requests that a user sends at the same time are all answered: those behind others wait',
    async run(session) {
      const asked = Array.from({ length: MANY_REQUESTS }, () => session.call('GET', '/api/me'))
      const statuses = new Set((await Promise.all(asked)).map(({ status }) => status))
      assertEqual([...statuses], [200], `the statuses of ${MANY_REQUESTS} requests at a time`)
    },
  },
]

/** Returns a request of the account as bytes on a connection; `body` is JSON. */
function requestText(
  session: ServiceSession,
  method: string,
  path: string,
  body = '',
  connection = 'keep-alive',
): string {
  const headers = {
    host: new URL(session.url).host,
    connection,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...session.authorization(),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`
}

/** Sends requests on one connection without waiting for answers. Returns all that comes until the service ends it. */
async function sendTogether(url: string, requests: readonly string[]): Promise<string> {
  const { protocol, hostname, port } = new URL(url)
  const host = hostname.replaceAll(/[[\]]/g, '')
  const socket =
    protocol === 'https:'
      ? connectTls({ host, port: Number(port || 443), servername: host })
      : connectTcp(Number(port || 80), host)
  socket.setTimeout(30_000, () => socket.destroy(new Error('no answer to pipelined requests')))
  socket.write(requests.join(''))
  return text(socket)
}
