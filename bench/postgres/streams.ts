import { type ClientRequest, request } from 'node:http'
import { inPieces, type Target } from '../load.ts'

/** Opens event streams, those of the users in turns, and reads them. Resolved when each has told its first version. */
export async function openStreams(target: Target, users: readonly number[], count: number) {
  const open: ClientRequest[] = []
  const openOne = (user: number) =>
    new Promise<void>((resolve, reject) => {
      const headers = { authorization: target.authorization(user) }
      const outgoing = request({
        agent: false,
        host: '127.0.0.1',
        port: target.port,
        path: '/api/sync/events',
        headers,
      })
      outgoing.on('response', (incoming) => {
        if (incoming.statusCode !== 200) reject(new Error(`a stream was answered ${incoming.statusCode}`))
        incoming.on('data', () => resolve())
        incoming.on('error', reject)
      })
      outgoing.on('error', reject)
      outgoing.end()
      open.push(outgoing)
    })
  await inPieces(count, 50, (n) => openOne(users[n % users.length] as number))
  return {
    close() {
      for (const outgoing of open) outgoing.destroy()
    },
  }
}
