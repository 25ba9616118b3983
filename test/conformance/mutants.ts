import type { Mutation, ProxiedRequest, ProxiedResponse } from './proxy.ts'

/** A service that breaks one rule. */
export interface Mutant {
  /** The rule that it breaks. */
  rule: string
  name: string
  /** A new one, with nothing to remember. */
  make(): Mutation
}

const isPull = ({ path }: ProxiedRequest) => path.startsWith('/api/sync/pull')
const isPush = ({ path }: ProxiedRequest) => path === '/api/sync/push'
const isIn = (collection: string, { path }: ProxiedRequest) => path.startsWith(`/api/${collection}`)
const sinceOf = ({ path }: ProxiedRequest) => Number(/[?&]since=(\d+)/.exec(path)?.[1] ?? Number.NaN)
const only =
  (
    which: (request: ProxiedRequest) => boolean,
    alter: (json: ProxiedResponse['json'], response: ProxiedResponse, request: ProxiedRequest) => void,
  ) =>
  (response: ProxiedResponse, request: ProxiedRequest): void => {
    if (which(request) && response.status < 300 && typeof response.json === 'object')
      alter(response.json, response, request)
  }
const problem = (status: number, code: string, title = 'Wrong'): ProxiedResponse => ({
  status,
  headers: { 'saldo-protocol': '1', 'content-type': 'application/problem+json' },
  json: { type: 'about:blank', title, status, code, detail: 'A mutant says so.' },
})
const upserts = (json: ProxiedRequest['json'], kind?: string) =>
  (json?.changes ?? []).filter(
    (change: ProxiedRequest['json']) => change?.record?.updated_at && (kind === undefined || change.kind === kind),
  )
const answers = (onResponse: NonNullable<Mutation['onResponse']>): Mutation => ({ onResponse })

/** Services that break one rule each. */
export const mutants: readonly Mutant[] = [
  {
    rule: 'R1.1',
    name: 'has no collection of closed weeks',
    make: () => ({ onRequest: (request) => (isIn('closed-weeks', request) ? problem(404, 'not_found') : undefined) }),
  },
  {
    rule: 'R1.2',
    name: 'does not let clients delete entries over REST',
    make: () => ({
      onRequest: (request) => {
        if (request.method === 'DELETE' && isIn('entries', request)) return problem(405, 'method_not_allowed')
        return undefined
      },
    }),
  },
  {
    rule: 'R1.5',
    name: 'does not tell devices what time it is',
    make: () => ({
      onResponse: ({ json }) => {
        if (json?.results) json.server_time = '1970-01-01T00:00:00.000Z'
      },
    }),
  },
  {
    rule: 'R1.3',
    name: 'lets clients write closed days over REST',
    make: () => ({
      onRequest: ({ method, path }) =>
        method === 'PUT' && path.startsWith('/api/closed-')
          ? { ...problem(200, ''), headers: { 'saldo-protocol': '1', 'content-type': 'application/json' }, json: {} }
          : undefined,
    }),
  },
  {
    rule: 'R1.4',
    name: 'leaves adjustments out of the balance',
    make: () =>
      answers(
        only(
          ({ path }) => path === '/api/balance',
          (json) => {
            json.balance_ms = json.closed_weeks_delta_ms
            json.projected_balance_ms = json.balance_ms + json.open_delta_ms
          },
        ),
      ),
  },
  {
    rule: 'R2.1',
    name: 'does not say when an entry was changed, in pull',
    make: () =>
      answers(
        only(isPull, ({ changes }) => {
          for (const record of changes.entries ?? []) record.updated_at = '2000-01-01T00:00:00.000Z'
        }),
      ),
  },
  {
    rule: 'R2.2',
    name: 'writes ids of settings in capitals',
    make: () =>
      answers(
        only(
          (request) => isIn('settings', request),
          (json) => {
            if (json.id) json.id = json.id.toUpperCase()
          },
        ),
      ),
  },
  {
    rule: 'R2.3',
    name: 'numbers settings instead of giving them a UUID',
    make: () =>
      answers(
        only(
          ({ method, path }) => method === 'POST' && path === '/api/settings',
          (json, _response, { json: said }) => {
            if (said.id === undefined) json.id = '00000000-0000-4000-8000-000000000001'
          },
        ),
      ),
  },
  {
    rule: 'R2.4',
    name: 'leaves updated_at of settings as the body says',
    make: () =>
      answers(
        only(
          ({ method, path }) => method === 'PUT' && path.startsWith('/api/settings/'),
          (json, _response, { json: said }) => {
            json.updated_at = said.updated_at ?? json.updated_at
          },
        ),
      ),
  },
  {
    rule: 'R2.5',
    name: 'merges pushed settings into what is there, instead of replacing them',
    make: () => {
      const notes = new Map<string, string>()
      return {
        onRequest: ({ json }) => {
          for (const { record } of upserts(json, 'settings_history')) {
            record.note ??= notes.get(record.id) ?? ''
            notes.set(record.id, record.note)
          }
          return undefined
        },
      }
    },
  },
  {
    rule: 'R2.7',
    name: 'has no adjustments in its summary',
    make: () =>
      answers(
        only(
          ({ path }) => path === '/api/balance',
          (json) => {
            delete json.adjustments_delta_ms
          },
        ),
      ),
  },
  {
    rule: 'R3.1',
    name: 'does not list adjustments that were changed',
    make: () =>
      answers(
        only(
          ({ method, path }) => method === 'GET' && path.startsWith('/api/balance/adjustments?'),
          (json) => {
            json.items = json.items.filter((item: ProxiedResponse['json']) => item.created_at === item.updated_at)
          },
        ),
      ),
  },
  {
    rule: 'R3.2',
    name: 'does not log deletions of adjustments',
    make: () =>
      answers(
        only(isPull, ({ deleted }) => {
          delete deleted.balance_adjustments
        }),
      ),
  },
  {
    rule: 'R3.3',
    name: 'brings the change at since once more',
    make: () => ({
      onRequest: (request) => {
        const since = sinceOf(request)
        if (since > 0) request.path = request.path.replace(`since=${since}`, `since=${since - 1}`)
        return undefined
      },
    }),
  },
  {
    rule: 'R3.4',
    name: 'never prunes',
    make: () => ({
      onResponse: async (response, request, ask) => {
        if (!isPull(request) || response.status !== 410) return
        const snapshot = await ask({ ...request, path: '/api/sync/pull' })
        Object.assign(response, snapshot, { json: { ...snapshot.json, since_tag: null } })
      },
    }),
  },
  {
    rule: 'R3.5',
    name: 'answers 409 where it should say 410',
    make: () => ({
      onResponse: (response, request) => {
        if (isPull(request) && response.status === 410) Object.assign(response, problem(409, 'conflict'))
      },
    }),
  },
  {
    rule: 'R3.6',
    name: 'is stale where since is ahead of the counter',
    make: () => ({
      onResponse: (response, request) => {
        const since = sinceOf(request)
        if (response.status === 200 && since > response.json.version && since < Number.MAX_SAFE_INTEGER) {
          Object.assign(response, problem(410, 'sync_stale', 'SyncStale'))
        }
      },
    }),
  },
  {
    rule: 'R3.7',
    name: 'takes no adjustments by push',
    make: () =>
      answers(
        only(isPush, ({ results }) => {
          for (const result of results) if (result.kind === 'balance_adjustments') result.status = 'skipped'
        }),
      ),
  },
  {
    rule: 'R3.8',
    name: 'lets the last writer win',
    make: () => {
      let count = 0
      return {
        onRequest: ({ json }) => {
          for (const { record } of upserts(json)) {
            count += 1
            record.updated_at = new Date(Date.parse(record.updated_at) + count * 10).toISOString()
          }
          return undefined
        },
      }
    },
  },
  {
    rule: 'R3.9',
    name: 'applies changes to closed days',
    make: () =>
      answers(
        only(isPush, ({ results }) => {
          for (const result of results) if (result.kind === 'closed_days') result.status = 'applied'
        }),
      ),
  },
  {
    rule: 'R3.10',
    name: 'only creates pushed settings, and never replaces them',
    make: () => {
      const seen = new Set<string>()
      return {
        onRequest: ({ json }) => {
          for (const { record } of upserts(json, 'settings_history')) {
            if (seen.has(record.id)) record.updated_at = '1990-01-01T00:00:00.000Z'
            seen.add(record.id)
          }
          return undefined
        },
      }
    },
  },
  {
    rule: 'R3.11',
    name: 'takes only numbers for ids of settings',
    make: () => ({
      onRequest: ({ path }) => (/^\/api\/settings\/(?!\d+$)/.test(path) ? problem(404, 'not_found') : undefined),
    }),
  },
  {
    rule: 'R4.1',
    name: 'prunes everything at once',
    make: () => {
      let newest = 0
      return {
        onResponse: (response, request) => {
          if (!isPull(request) || response.status !== 200) return
          const isBehind = sinceOf(request) < newest
          newest = Math.max(newest, response.json.version)
          if (isBehind) Object.assign(response, problem(410, 'sync_stale', 'SyncStale'))
        },
      }
    },
  },
  {
    rule: 'R4.2',
    name: 'puts the marker one too high',
    make: () => ({
      onResponse: async (response, request, ask) => {
        const since = sinceOf(request)
        if (response.status !== 200 || !(since > 0)) return
        const before = await ask({ ...request, path: `/api/sync/pull?since=${since - 1}` })
        if (before.status === 410) Object.assign(response, problem(410, 'sync_stale', 'SyncStale'))
      },
    }),
  },
  {
    rule: 'D1.16',
    name: 'does not say that it is a Saldo service',
    make: () => ({
      onResponse: ({ headers }) => {
        delete headers['saldo-protocol']
      },
    }),
  },
  {
    rule: 'D1.2',
    name: 'erases fields that it does not know',
    make: () => ({
      onRequest: ({ json }) => {
        for (const record of [json, ...upserts(json).map((change: ProxiedRequest['json']) => change.record)]) {
          for (const name of ['x-mood', 'mood']) if (record) delete record[name]
        }
        return undefined
      },
    }),
  },
  {
    rule: 'D1.33',
    name: 'does not name unknown fields of a query',
    make: () => ({
      onResponse: ({ headers }) => {
        if (headers['saldo-unknown-fields']?.startsWith('?')) delete headers['saldo-unknown-fields']
      },
    }),
  },
  {
    rule: 'D3.64',
    name: 'counts nothing of running work today',
    make: () =>
      answers(
        only(
          ({ path }) => path === '/api/account/today',
          (json) => {
            json.worked_ms = 0
          },
        ),
      ),
  },
  {
    rule: 'D1.4',
    name: 'writes instants without milliseconds',
    make: () =>
      answers(
        only(
          (request) => isIn('entries', request),
          (json) => {
            if (json.started_at) json.started_at = json.started_at.replace(/\.\d+Z$/, 'Z')
          },
        ),
      ),
  },
  {
    rule: 'D1.18',
    name: 'tells of its insides where something is wrong',
    make: () => ({
      onResponse: ({ status, json }) => {
        if (status === 422) json.detail = 'Error: bad\n    at store (sqlite.js:1:1)'
      },
    }),
  },
  {
    rule: 'D1.28',
    name: 'answers a read as if a deletion ahead of it on the connection were not handled yet',
    make: () => {
      const lastByPath = new Map<string, ProxiedResponse>()
      return {
        onResponse: (response, { method, path }) => {
          const last = lastByPath.get(path)
          if (method !== 'GET') return
          if (response.status === 200) lastByPath.set(path, structuredClone(response))
          else if (response.status === 404 && last) Object.assign(response, last)
        },
      }
    },
  },
  {
    rule: 'D1.29',
    name: 'refuses what a user asks while another request is in progress',
    make: () => {
      let inProgress = 0
      return {
        onRequest: () => {
          inProgress += 1
          return inProgress > 1 ? problem(429, 'rate_limited') : undefined
        },
        onResponse: () => {
          inProgress -= 1
        },
      }
    },
  },
  {
    rule: 'D1.30',
    name: 'parses a body before it counts its values',
    make: () => ({
      onRequest: ({ method, json }) =>
        method === 'POST' && json === undefined ? problem(400, 'invalid_request') : undefined,
    }),
  },
  {
    rule: 'D1.31',
    name: 'keeps the first thousand keys of an object',
    make: () => ({
      onRequest: ({ json }) => {
        for (const { record } of upserts(json, 'entries')) {
          if (record.x?.[0]) record.x = [Object.fromEntries(Object.entries(record.x[0]).slice(0, 1_000))]
        }
        return undefined
      },
    }),
  },
  {
    rule: 'D2.7',
    name: 'forgets tombstones of what it never knew',
    make: () => ({
      onRequest: (request) => {
        if (!isPush(request)) return undefined
        for (const change of request.json.changes ?? []) {
          if (change?.op === 'delete' && change.kind === 'entries') change.id = '11111111-1111-4111-8111-111111111111'
        }
        return undefined
      },
    }),
  },
  {
    rule: 'D2.13',
    name: 'trims what was written in a note',
    make: () =>
      answers(
        only(
          (request) => isIn('entries', request),
          (json) => {
            if (typeof json.note === 'string') json.note = json.note.trim()
          },
        ),
      ),
  },
  {
    rule: 'D2.34',
    name: 'keeps an amount of time as a share of the day',
    make: () =>
      answers(
        only(
          (request) => isIn('entries', request),
          (json) => {
            if (json.amount_ms != null) Object.assign(json, { day_share: json.amount_ms / 28_800_000, amount_ms: null })
          },
        ),
      ),
  },
  {
    rule: 'D2.38',
    name: 'knows no work that does not count',
    make: () => ({
      onRequest: ({ json }) => {
        if (json?.counts === false) json.counts = true
        return undefined
      },
    }),
  },
  {
    rule: 'D3.62',
    name: 'stores work that does not count as a field, and counts it',
    make: () => ({
      onRequest: ({ json }) => {
        if (json?.counts === false) Object.assign(json, { counts: true, said: false })
        return undefined
      },
      onResponse: ({ json }) => {
        if (json?.said === false) json.counts = false
      },
    }),
  },
  {
    rule: 'D3.27',
    name: 'does not bring recomputed closings by pull',
    make: () =>
      answers(
        only(isPull, ({ changes }) => {
          delete changes.closed_weeks
        }),
      ),
  },
  {
    rule: 'D3.5',
    name: 'counts a break as work',
    make: () => ({
      onRequest: ({ json }) => {
        for (const { record } of upserts(json, 'entries')) if (record.kind === 'break') record.kind = 'work'
        return undefined
      },
    }),
  },
  {
    rule: 'D3.21',
    name: 'closes what has not ended',
    make: () => ({
      onResponse: (response, request) => {
        if (request.method !== 'POST' || response.status !== 409) return
        Object.assign(response, problem(200, ''), { json: request.json })
        response.headers['content-type'] = 'application/json'
      },
    }),
  },
  {
    rule: 'D10.3',
    name: 'has digests of what was live when it was first requested',
    make: () => {
      let first: unknown
      return answers(
        only(
          ({ path }) => path === '/api/sync/digest',
          (json) => {
            first ??= json.kinds.entries
            json.kinds.entries = first
          },
        ),
      )
    },
  },
  {
    rule: 'D4.2',
    name: 'shows a version before what was written under a smaller one',
    make: () => {
      const seen = new Set<string>()
      return answers(
        only(isPull, ({ changes }) => {
          // A row that has just been written is not there yet when it is first looked for.
          changes.entries = changes.entries?.filter(({ id }: { id: string }) => seen.has(id) || !seen.add(id))
        }),
      )
    },
  },
  {
    rule: 'D4.3',
    name: 'gives all changes of a push one version',
    make: () =>
      answers(
        only(isPush, ({ version, results }) => {
          for (const result of results) if (result.version !== undefined) result.version = version
        }),
      ),
  },
  {
    rule: 'D5.4',
    name: 'never says that there is more',
    make: () =>
      answers(
        only(isPull, (json) => {
          json.has_more = false
        }),
      ),
  },
  {
    rule: 'D5.9',
    name: 'gives each page of a snapshot the version of its moment',
    make: () => ({
      onResponse: async (response, request, ask) => {
        if (!isPull(request) || response.status !== 200 || !request.path.includes('cursor=')) return
        const { json } = await ask({ ...request, path: `/api/sync/pull?since=${Number.MAX_SAFE_INTEGER}` })
        Object.assign(response.json, { version: json.version, tag: json.tag })
      },
    }),
  },
  {
    rule: 'D5.12',
    name: 'takes a since that is none for 0',
    make: () => ({
      onRequest: (request) => {
        request.path = request.path.replace(/since=(?!\d{1,16}(&|$))[^&]*/, 'since=0')
        return undefined
      },
    }),
  },
  {
    rule: 'D5.5',
    name: 'has one tag for all versions',
    make: () =>
      answers(
        only(isPull, (json) => {
          if (json.tag !== null) json.tag = 'tag'
          if (json.since_tag) json.since_tag = 'tag'
        }),
      ),
  },
  {
    rule: 'D5.25',
    name: 'promises another page behind a full one',
    make: () =>
      answers(
        only(isPull, (json, _response, { path }) => {
          const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1])
          const lists = [...Object.values(json.changes), ...Object.values(json.deleted)] as unknown[][]
          if (lists.flat().length === limit && !Number.isNaN(sinceOf({ path } as ProxiedRequest))) json.has_more = true
        }),
      ),
  },
  {
    rule: 'D5.3',
    name: 'knows no limit',
    make: () => ({
      onRequest: (request) => {
        if (/limit=[1-9]\d{0,3}$/.test(request.path)) request.path = request.path.replace(/[?&]limit=\d+$/, '')
        return undefined
      },
    }),
  },
  {
    rule: 'D6.5',
    name: 'does not return the stored record to a superseded change',
    make: () =>
      answers(
        only(isPush, ({ results }) => {
          for (const result of results) delete result.record
        }),
      ),
  },
  {
    rule: 'D6.3',
    name: 'answers changes in another order',
    make: () =>
      answers(
        only(isPush, ({ results }) => {
          results.reverse()
        }),
      ),
  },
  {
    rule: 'D6.8',
    name: 'refuses a whole push for one bad change',
    make: () => ({
      onResponse: (response, request) => {
        const isBad =
          isPush(request) && response.json?.results?.some(({ status }: { status: string }) => status === 'rejected')
        if (isBad) Object.assign(response, problem(422, 'invalid_record'))
      },
    }),
  },
  {
    rule: 'D6.14',
    name: 'forgets who claimed',
    make: () => ({
      onRequest: ({ json }) => {
        for (const change of json?.changes ?? []) if (change) delete change.seq
        return undefined
      },
    }),
  },
  {
    rule: 'D6.13',
    name: 'stores the time of a fast clock as it came',
    make: () => ({
      onResponse: (response, { json }) => {
        for (const [index, result] of (response.json?.results ?? []).entries()) {
          if (result.status === 'applied')
            result.updated_at = json.changes[index].record?.updated_at ?? result.updated_at
        }
      },
    }),
  },
  {
    rule: 'D9.7',
    name: 'creates another record where an id comes again',
    make: () => {
      const seen = new Set<string>()
      return {
        onRequest: ({ method, path, json }) => {
          if (method === 'POST' && path === '/api/entries' && json?.id) {
            if (seen.has(json.id)) delete json.id
            else seen.add(json.id)
          }
          return undefined
        },
      }
    },
  },
  {
    rule: 'D6.21',
    name: 'does not ask whether a record has changed since',
    make: () => ({
      onRequest: ({ headers }) => {
        delete headers['if-match']
        return undefined
      },
    }),
  },
  {
    rule: 'D6.16',
    name: 'stamps a device’s direct write itself',
    make: () => ({
      onRequest: (request) => {
        if (request.method !== 'GET') request.path = request.path.replace(/\?updated_at=.*/, '')
        return undefined
      },
    }),
  },
  {
    rule: 'D6.18',
    name: 'serves whoever is signed in, whomever a request means',
    make: () => ({
      onRequest: ({ headers }) => {
        delete headers['saldo-user']
        return undefined
      },
    }),
  },
  {
    rule: 'D8.1',
    name: 'shows a user what another wrote',
    make: () => {
      let first: string | undefined
      return {
        onRequest: ({ method, path, headers }) => {
          first ??= headers.authorization
          if (method === 'GET' && path.startsWith('/api/entries/') && first && headers.authorization)
            headers.authorization = first
          return undefined
        },
      }
    },
  },
  {
    rule: 'D9.6',
    name: 'does not say where a new record is',
    make: () => ({
      onResponse: ({ headers }) => {
        delete headers.location
      },
    }),
  },
  {
    rule: 'D9.3',
    name: 'ignores dates in lists',
    make: () => ({
      onRequest: (request) => {
        request.path = request.path.replaceAll(/(from|to)=9001[^&]*&?/g, '')
        return undefined
      },
    }),
  },
  {
    rule: 'D16.4',
    name: 'dates generated holidays so that they look like edits',
    make: () =>
      answers(
        only(
          (request) => isIn('entries', request),
          ({ items = [] }) => {
            for (const entry of items) if (entry.source === 'holidays') entry.updated_at = entry.created_at
          },
        ),
      ),
  },
  {
    rule: 'D17.3',
    name: 'counts each begun day of vacation as a whole one',
    make: () =>
      answers(
        only(
          ({ path }) => path.startsWith('/api/account/vacation'),
          ({ vacation }) => {
            if (vacation) vacation.taken = Math.ceil(vacation.taken)
          },
        ),
      ),
  },
  {
    rule: 'D18.5',
    name: 'counts the accepted expiry in the balance of its own period',
    make: () =>
      answers(
        only(
          ({ path }) => path.startsWith('/api/account/proposals'),
          ({ items = [] }) => {
            for (const proposal of items) proposal.balance_ms -= proposal.expired_ms ?? 0
          },
        ),
      ),
  },
  {
    rule: 'D21.5',
    name: 'names no scopes',
    make: () =>
      answers(
        only(
          ({ path }) => path === '/api/openapi.json',
          ({ paths }) => {
            for (const { security } of Object.values<ProxiedRequest['json']>(paths).flatMap(Object.values)) {
              for (const way of security) if (way.token) way.token = []
            }
          },
        ),
      ),
  },
  {
    rule: 'D21.7',
    name: 'lets pages of all origins read its answers',
    make: () => ({
      onResponse: ({ headers }, { headers: { origin } }) => {
        if (origin) headers['access-control-allow-origin'] = origin
      },
    }),
  },
  {
    rule: 'D21.8',
    name: 'leaves the time that does not count out of reports',
    make: () =>
      answers(
        only(
          (request) => isIn('reports', request),
          (json) => {
            json.not_counted_ms = 0
          },
        ),
      ),
  },
  {
    rule: 'D21.9',
    name: 'reports about as many days as are asked for',
    make: () =>
      answers((response, request) => {
        if (isIn('reports', request) && response.status === 400) Object.assign(response, problem(200, ''))
      }),
  },
]
