import { assertEqual, assertFields, assertTrue, type Check } from '../check.ts'
import { kinds, resources, type ServiceSession, upsert } from './session.ts'

const { path, content } = resources.entries

/** Checks of users and their records (D8). */
export const userChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['D8.4', 'D1.18'],
    title: 'requests without a token or with a wrong one are unauthenticated',
    async run(session) {
      const asked = [
        ['GET', '/api/sync/pull'],
        ['POST', '/api/sync/push'],
        ['GET', '/api/balance'],
        ['GET', path],
        ['POST', path],
        ['GET', '/api/sync/events'],
        ['GET', '/api/sync/digest'],
        ['GET', '/api/closed-weeks'],
      ] as const
      for (const token of [null, 'wrong', '']) {
        for (const [method, one] of asked) {
          const options = method === 'POST' ? { json: { changes: [] } } : {}
          const { status, body } = await session.call(method, one, { ...options, token })
          assertEqual([status, body?.code], [401, 'unauthenticated'], `${method} ${one} without a right token`)
        }
      }
    },
  },
  {
    rules: ['D6.18'],
    title: 'a request whose Saldo-User is another user is unauthenticated and has no effect',
    async run(session) {
      const { user_id: user } = await session.get('/api/me')
      const { version, ms } = await session.now()
      const changes = [upsert('entries', session.newId(), new Date(ms - 1_000).toISOString(), content)]
      for (const other of [String(user + 1), 'x', '']) {
        const answer = await session.call('POST', '/api/sync/push', {
          json: { changes },
          headers: { 'saldo-user': other },
        })
        assertEqual([answer.status, answer.body?.code], [401, 'unauthenticated'], `a push that means user «${other}»`)
      }
      assertEqual((await session.now()).version, version, 'the version after pushes that meant somebody else')
      const right = await session.call('POST', '/api/sync/push', {
        json: { changes },
        headers: { 'saldo-user': String(user) },
      })
      assertEqual(right.status, 200, 'a push that means this user')
    },
  },
  {
    rules: ['D8.1', 'D8.3'],
    title: 'users do not see records of each other: an id of another user is 404, and in a push a record of its own',
    async run(session) {
      const token = session.otherToken
      const { version } = await session.now()
      for (const kind of kinds) {
        const { path, content, other } = resources[kind]
        const { id } = await session.create(kind, content)
        const one = `${path}/${id}`
        for (const [method, options] of [
          ['GET', {}],
          ['PUT', { json: other }],
          ['DELETE', {}],
        ] as const) {
          assertEqual(
            (await session.call(method, one, { ...options, token })).status,
            404,
            `${method} of another user’s record`,
          )
        }
        const change = upsert(kind, id, await session.time(-5), other)
        const { status, body } = await session.call('POST', '/api/sync/push', { json: { changes: [change] }, token })
        assertEqual([status, body.results?.[0]?.status], [200, 'applied'], 'a push of the same id by another user')
        assertFields(await session.read(kind, id), content, 'the record of the first user')
        assertFields((await session.call('GET', one, { token })).body, other, 'the record of the other user')
      }
      assertTrue((await session.now()).version === version + kinds.length, 'another user’s changes move the counter')
      const { cursor } = await session.pull('?limit=1')
      const theirs = await session.call('GET', `/api/sync/pull?cursor=${encodeURIComponent(String(cursor))}`, { token })
      assertEqual([theirs.status, theirs.body?.code], [400, 'invalid_cursor'], 'a cursor of another user')
    },
  },
]
