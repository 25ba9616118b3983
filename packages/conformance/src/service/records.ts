import type { JsonObject } from '@saldo/core'
import { assertEqual, assertFields, assertTrue, type Check } from '../check.ts'
import { assertValidRecord, kinds, resources, type ServiceSession } from './session.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const adjustments = resources.balance_adjustments
const settings = resources.settings_history

/** Records over REST (D6, D9). */
export const recordChecks: readonly Check<ServiceSession>[] = [
  {
    rules: ['R1.1', 'D9.1', 'D9.2'],
    title: 'the five kinds have collections under /api',
    async run(session) {
      const paths = ['entries', 'settings', 'balance/adjustments', 'closed-days', 'closed-weeks']
      for (const path of paths) {
        const { items, next_cursor } = await session.get(`/api/${path}?limit=1`)
        assertTrue(Array.isArray(items), `GET /api/${path} has no items`)
        assertTrue(next_cursor === null || typeof next_cursor === 'string', `GET /api/${path} has no next_cursor`)
      }
    },
  },
  {
    rules: ['R1.2', 'D9.6', 'D9.8', 'D9.9', 'D6.17', 'D2.1'],
    title: 'clients create, read, update and delete records of each writable kind over REST',
    async run(session) {
      for (const kind of kinds) {
        const { path, content, other } = resources[kind]
        const created = await session.call('POST', path, { json: content })
        assertEqual(created.status, 201, `POST ${path}`)
        assertValidRecord(kind, created.body)
        assertFields(created.body, content, `what POST ${path} created`)
        const one = `${path}/${created.body.id}`
        assertEqual(created.headers.get('location'), one, `Location of POST ${path}`)
        assertEqual(await session.read(kind, created.body.id), created.body, `GET ${one}`)
        const changed = await session.call('PUT', one, { json: other })
        assertEqual(changed.status, 200, `PUT ${one}`)
        assertFields(
          changed.body,
          { ...other, id: created.body.id, created_at: created.body.created_at },
          `what PUT ${one} stored`,
        )
        assertEqual(await session.read(kind, created.body.id), changed.body, `GET ${one} after PUT`)
        const elsewhere = await session.call('PUT', one, { json: { ...other, id: session.newId() } })
        assertEqual(
          [elsewhere.status, elsewhere.body?.errors?.[0]?.pointer],
          [422, '/id'],
          `PUT ${one} with another id`,
        )
        const gone = await session.call('DELETE', one)
        assertEqual(gone.status, 204, `DELETE ${one}`)
        const { version } = await session.now()
        for (const method of ['GET', 'PUT', 'DELETE', 'POST']) {
          const address = method === 'POST' ? path : one
          const json = method === 'POST' ? { ...other, id: created.body.id } : other
          const dead = await session.call(method, address, method === 'GET' ? {} : { json })
          assertEqual(dead.status, 404, `${method} ${path} of a deleted record`)
          for (const name of ['saldo-version', 'saldo-updated-at']) {
            assertEqual(
              dead.headers.get(name),
              gone.headers.get(name),
              `${name} of ${method} ${path} of a deleted record`,
            )
          }
        }
        assertEqual(gone.headers.get('saldo-version'), String(version), 'Saldo-Version of a deletion')
      }
    },
  },
  {
    rules: ['D9.8'],
    title: 'a record that never existed is 404 without a tombstone',
    async run(session) {
      const { version } = await session.now()
      for (const kind of kinds) {
        const { path, content } = resources[kind]
        for (const method of ['GET', 'PUT', 'DELETE']) {
          const options = method === 'PUT' ? { json: content } : {}
          const { status, headers } = await session.call(method, `${path}/${session.newId()}`, options)
          assertEqual(status, 404, `${method} ${path} of an unknown record`)
          assertEqual(headers.get('saldo-version'), null, `Saldo-Version of ${method} ${path} of an unknown record`)
        }
      }
      assertEqual((await session.now()).version, version, 'the version after requests for unknown records')
    },
  },
  {
    rules: ['R1.3'],
    title: 'closed days and weeks cannot be written over REST',
    async run(session) {
      for (const one of ['closed-days/1900-01-01', 'closed-weeks/1900-W01']) {
        const { status } = await session.call('PUT', `/api/${one}`, { json: { delta_ms: 0 } })
        assertTrue(status === 404 || status === 405, `PUT /api/${one} answered ${status}`)
      }
    },
  },
  {
    rules: ['R2.1'],
    title: 'entries and adjustments carry updated_at, over REST and in pull',
    async run(session) {
      const { version } = await session.now()
      for (const kind of ['entries', 'balance_adjustments'] as const) {
        const created = await session.create(kind, resources[kind].content)
        assertTrue(!Number.isNaN(Date.parse(created.updated_at)), `one of ${kind} has no updated_at`)
        const { changes } = await session.pull(`?since=${version}`)
        const pulled = (changes[kind] as JsonObject[] | undefined)?.find(({ id }) => id === created.id)
        assertFields(pulled, { updated_at: created.updated_at }, `one of ${kind}, pulled`)
      }
    },
  },
  {
    rules: ['R2.2', 'R2.3'],
    title: 'settings created on the service get a new UUID; an id given by the client is kept',
    async run(session) {
      const first = await session.create('settings_history', settings.content)
      const second = await session.create('settings_history', settings.content)
      for (const { id, updated_at } of [first, second]) {
        assertTrue(typeof id === 'string' && UUID.test(id), `the id of settings is ${JSON.stringify(id)}, no UUID`)
        assertTrue(typeof updated_at === 'string', 'settings have no updated_at')
      }
      assertTrue(first.id !== second.id, 'two settings records got the same id')
      const id = session.newId()
      assertEqual(
        (await session.create('settings_history', { ...settings.content, id })).id,
        id,
        'the id that a client brought',
      )
    },
  },
  {
    rules: ['R2.4'],
    title: 'an update of settings on the service sets updated_at and ignores that of the body',
    async run(session) {
      const before = await session.create('settings_history', settings.content)
      const after = await session.call('PUT', `${settings.path}/${before.id}`, {
        json: { ...before, ...settings.other },
      })
      assertEqual(after.status, 200, 'an update of settings')
      assertTrue(
        after.body.updated_at > before.updated_at,
        `updated_at went from ${before.updated_at} to ${after.body.updated_at}`,
      )
      assertEqual(
        (await session.read('settings_history', before.id)).updated_at,
        after.body.updated_at,
        'updated_at, read again',
      )
    },
  },
  {
    rules: ['R3.1'],
    title: 'adjustments are listed, created, updated and deleted',
    async run(session) {
      const created = await session.create('balance_adjustments', adjustments.content)
      const listed = async () => {
        const { items } = await session.get(`${adjustments.path}?from=9000-03-01&to=9000-03-02`)
        return items.find(({ id }: { id: string }) => id === created.id)
      }
      assertEqual(await listed(), created, 'an adjustment that was created, in the list')
      await session.call('PUT', `${adjustments.path}/${created.id}`, { json: adjustments.other })
      assertFields(await listed(), adjustments.other, 'an adjustment that was updated, in the list')
      assertEqual(
        (await session.call('DELETE', `${adjustments.path}/${created.id}`)).status,
        204,
        'deleting an adjustment',
      )
      assertEqual(await listed(), undefined, 'an adjustment that was deleted, in the list')
    },
  },
  {
    rules: ['R3.2'],
    title: 'pull delivers every create, update and delete of an adjustment',
    async run(session) {
      let { version } = await session.now()
      const pulled = async () => {
        const answer = await session.pull(`?since=${version}`)
        assertTrue(answer.version > version, `the version stays ${version}`)
        version = answer.version
        return answer
      }
      const { id } = await session.create('balance_adjustments', adjustments.content)
      assertFields(
        (await pulled()).changes.balance_adjustments?.[0],
        { ...adjustments.content, id },
        'a created adjustment',
      )
      await session.call('PUT', `${adjustments.path}/${id}`, { json: adjustments.other })
      assertFields(
        (await pulled()).changes.balance_adjustments?.[0],
        { ...adjustments.other, id },
        'an updated adjustment',
      )
      await session.call('DELETE', `${adjustments.path}/${id}`)
      assertFields((await pulled()).deleted.balance_adjustments?.[0], { id }, 'a deleted adjustment')
    },
  },
  {
    rules: ['R3.11', 'R2.2'],
    title: 'settings routes accept any UUID as id and reject other text',
    async run(session) {
      const { id } = await session.create('settings_history', settings.content)
      for (const [method, options] of [
        ['GET', {}],
        ['PUT', { json: settings.other }],
        ['DELETE', {}],
      ] as const) {
        const { status } = await session.call(method, `${settings.path}/${id}`, options)
        assertTrue(status < 300, `${method} of settings by their UUID answered ${status}`)
        // An id that has no letters, by chance, is none in capitals.
        for (const wrong of ['17', '0', 'x', 'null', '%20', id.toUpperCase()].filter((text) => text !== id)) {
          const refused = await session.call(method, `${settings.path}/${wrong}`, options)
          assertTrue(
            refused.status === 400 || refused.status === 404,
            `${method} of settings «${wrong}» answered ${refused.status}`,
          )
        }
      }
    },
  },
  {
    rules: ['D9.7', 'R2.3'],
    title: 'POST with an existing id answers with the stored record and creates nothing',
    async run(session) {
      for (const kind of kinds) {
        const { path, content, other } = resources[kind]
        const id = session.newId()
        const first = await session.create(kind, { ...content, id })
        const { version } = await session.now()
        const again = await session.call('POST', path, { json: { ...other, id } })
        assertEqual([again.status, again.body], [200, first], `POST ${path} with the same id again`)
        assertEqual(again.headers.get('location'), null, `Location of POST ${path} with the same id again`)
        assertEqual((await session.now()).version, version, 'the version after it')
      }
    },
  },
  {
    rules: ['D9.7'],
    title: 'many concurrent POSTs of one id create one record',
    async run(session) {
      const json = { ...resources.entries.content, id: session.newId() }
      const { version } = await session.now()
      const posts = Array.from({ length: 8 }, () => session.call('POST', resources.entries.path, { json }))
      const answers = await Promise.all(posts)
      assertEqual(
        answers.map(({ status }) => status).toSorted(),
        [200, 200, 200, 200, 200, 200, 200, 201],
        'the answers to the same POST, many times at once',
      )
      for (const { body } of answers) assertEqual(body, answers[0]?.body, 'the record of the same POST')
      assertEqual((await session.now()).version, version + 1, 'the version after it')
    },
  },
  {
    rules: ['D6.15'],
    title:
      'a REST write gets the time of the service, later than the stored record, and ignores updated_at in the body',
    async run(session) {
      const { ms } = await session.now()
      for (const kind of kinds) {
        const { path, content, other } = resources[kind]
        const created = await session.create(kind, { ...content, updated_at: '1999-01-01T00:00:00.000Z' })
        assertTrue(Date.parse(created.updated_at) >= ms, `updated_at of a new record is ${created.updated_at}`)
        const ahead = new Date(ms + 50_000).toISOString()
        const put = await session.call('PUT', `${path}/${created.id}?updated_at=${ahead}`, { json: other })
        assertEqual(put.body.updated_at, ahead, 'the time of a change from a clock that is a little fast')
        const changed = await session.call('PUT', `${path}/${created.id}`, { json: { ...put.body, ...content } })
        assertTrue(
          changed.body.updated_at > ahead,
          `an update is stamped ${changed.body.updated_at}, not after ${ahead}`,
        )
      }
    },
  },
  {
    rules: ['D6.20', 'D6.21'],
    title: 'a record has an ETag, and If-Match and If-None-Match are honoured',
    async run(session) {
      const { path, content, other } = resources.entries
      const { id } = await session.create('entries', content)
      const one = `${path}/${id}`
      const etag = (await session.call('GET', one)).headers.get('etag') ?? ''
      assertTrue(etag !== '', `GET ${one} has no ETag`)
      assertEqual(
        (await session.call('GET', one, { headers: { 'if-none-match': etag } })).status,
        304,
        'a fresh record',
      )
      const changed = await session.call('PUT', one, { json: other, headers: { 'if-match': etag } })
      assertEqual(changed.status, 200, 'a change of the record that is named')
      for (const [method, options] of [
        ['PUT', { json: content }],
        ['DELETE', {}],
      ] as const) {
        const { status, body } = await session.call(method, one, { ...options, headers: { 'if-match': etag } })
        assertEqual([status, body?.code], [412, 'precondition_failed'], `${method} of a record that has changed since`)
      }
      assertFields(await session.read('entries', id), other, 'the record after changes that were refused')
    },
  },
  {
    rules: ['D6.20', 'D6.21'],
    title: 'preconditions accept lists of tags, weak tags and *, on direct writes too',
    async run(session) {
      const { path, content, other } = resources.entries
      const created = await session.call('POST', path, { json: content })
      const one = `${path}/${created.body.id}`
      const etag = created.headers.get('etag') ?? ''
      for (const [tags, status] of [
        [`W/${etag}`, 304],
        ['*', 304],
        [`"0" ,W/${etag},"x,y"`, 304],
        ['"0"', 200],
        [etag.slice(1, -1), 200],
        [`"x ${etag}"`, 200],
      ] as const) {
        const answer = await session.call('GET', one, { headers: { 'if-none-match': tags } })
        assertEqual(answer.status, status, `GET with If-None-Match: ${tags}`)
      }
      const { version } = await session.now()
      const unknown = `${path}/${session.newId()}`
      const device = `?updated_at=${await session.time(5_000)}`
      for (const query of ['', device]) {
        for (const [address, headers] of [
          [one, { 'if-match': '"0"' }],
          [one, { 'if-match': `"0", W/${etag}` }],
          [one, { 'if-none-match': '*' }],
          [one, { 'if-none-match': `W/${etag}` }],
          [unknown, { 'if-match': '*' }],
        ] as const) {
          for (const method of ['PUT', 'DELETE']) {
            const { status } = await session.call(method, address + query, { json: other, headers })
            assertEqual(status, 412, `${method} ${address}${query} with ${JSON.stringify(headers)}`)
          }
        }
      }
      assertEqual((await session.now()).version, version, 'the version after writes whose precondition failed')
      const fresh = { json: content, headers: { 'if-none-match': '*' } }
      assertEqual(
        (await session.call('PUT', unknown + device, fresh)).status,
        200,
        'a device’s PUT of what must not exist',
      )
      assertEqual(
        (await session.call('PUT', unknown + device, fresh)).status,
        412,
        'a device’s PUT of what exists by now',
      )
      const named = await session.call('PUT', one, { json: other, headers: { 'if-match': `"x", ${etag}` } })
      assertEqual(named.status, 200, 'a PUT of one of several tags')
    },
  },
  {
    rules: ['D6.21'],
    title: 'of concurrent writes with the same If-Match one succeeds and the others get 412',
    async run(session) {
      const { path, content, other } = resources.entries
      const created = await session.call('POST', path, { json: content })
      const one = `${path}/${created.body.id}`
      const headers = { 'if-match': created.headers.get('etag') ?? '' }
      const edits = Array.from({ length: 6 }, (_, editor) =>
        session.call('PUT', one, { json: { ...other, editor }, headers }),
      )
      const answers = await Promise.all(edits)
      const statuses = answers.map(({ status }) => status).toSorted()
      assertEqual(statuses, [200, 412, 412, 412, 412, 412], 'the answers to six edits of one version')
      const winner = answers.find(({ status }) => status === 200)
      assertEqual(await session.get(one), winner?.body, 'the record after six edits of one version')
    },
  },
  {
    rules: ['D9.2', 'D9.3'],
    title: 'collections have pages and filters by date',
    async run(session) {
      for (const kind of kinds) {
        const { path, on } = resources[kind]
        const dates = ['9001-05-01', '9001-05-02', '9001-05-03', '9001-05-04']
        const ids: string[] = []
        for (const date of dates) ids.push((await session.create(kind, on(date))).id)
        const wanted = ids.slice(1)
        const found: string[] = []
        let cursor: string | null = null
        do {
          const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
          const page = await session.get(`${path}?from=${dates[1]}&to=${dates[3]}&limit=2${next}`)
          assertTrue(page.items.length <= 2, `a page of 2 of ${kind} has ${page.items.length}`)
          found.push(...page.items.map(({ id }: { id: string }) => id))
          cursor = page.next_cursor
          assertTrue(found.length <= wanted.length, `the pages of ${kind} do not end`)
        } while (cursor !== null)
        assertEqual(found, wanted, `the pages of ${kind} of three dates, in their order`)
      }
    },
  },
  {
    rules: ['D9.5'],
    title: 'a malformed date, limit or cursor of a list is rejected with a pointer',
    async run(session) {
      for (const kind of kinds) {
        const { path } = resources[kind]
        for (const [query, code, pointer] of [
          ['from=2026-02-30', 'invalid_request', '/from'],
          ['to=tomorrow', 'invalid_request', '/to'],
          ['from=', 'invalid_request', '/from'],
          ['to=2026-W10', 'invalid_request', '/to'],
          ['limit=0', 'invalid_request', '/limit'],
          ['limit=1001', 'invalid_request', '/limit'],
          ['limit=1e2', 'invalid_request', '/limit'],
          ['cursor=', 'invalid_cursor', null],
          ['cursor=x', 'invalid_cursor', null],
          ['cursor=%00', 'invalid_cursor', null],
          ['cursor=WzEuNSwieCJd', 'invalid_cursor', null],
        ] as const) {
          const { status, body } = await session.call('GET', `${path}?${query}`)
          assertEqual(
            [status, body?.code, body?.errors?.[0]?.pointer ?? null],
            [400, code, pointer],
            `GET ${path}?${query}`,
          )
        }
      }
    },
  },
]
