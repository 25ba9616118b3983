import type { Alteration, ProxiedRequest, ProxiedResponse } from './proxy.ts'

/** A service that breaks one rule, by what a proxy makes of its requests and responses. */
export interface ServiceFault {
  /** The rule that it breaks. */
  rule: string
  name: string
  /** A new one, with nothing to remember. */
  make(): Alteration
}

const isPull = ({ path }: ProxiedRequest) => path.startsWith('/api/sync/pull')
const isPush = ({ path }: ProxiedRequest) => path === '/api/sync/push'
const isIn = (collection: string, { path }: ProxiedRequest) => path.startsWith(`/api/${collection}`)
const sinceOf = ({ path }: ProxiedRequest) => Number(/[?&]since=(\d+)/.exec(path)?.[1] ?? Number.NaN)
const problem = (status: number, code: string, title = 'Wrong'): ProxiedResponse => ({
  status,
  headers: { 'saldo-protocol': '1', 'content-type': 'application/problem+json' },
  json: { type: 'about:blank', title, status, code, detail: 'A planted fault says so.' },
})
const upserts = (json: ProxiedRequest['json'], kind?: string) =>
  (json?.changes ?? []).filter(
    (change: ProxiedRequest['json']) => change?.record?.updated_at && (kind === undefined || change.kind === kind),
  )
const decided = (state: string): ProxiedResponse => ({
  status: 200,
  headers: { 'saldo-protocol': '1', 'content-type': 'application/json' },
  json: { state, decisions: [] },
})
function fault(rule: string, name: string, alteration: Alteration | (() => Alteration)): ServiceFault {
  return { rule, name, make: typeof alteration === 'function' ? alteration : () => alteration }
}

/** A service that changes what it is asked, or answers itself. */
function asking(rule: string, name: string, onRequest: NonNullable<Alteration['onRequest']>): ServiceFault {
  return fault(rule, name, { onRequest })
}

type AlterJson = (json: ProxiedResponse['json'], response: ProxiedResponse, request: ProxiedRequest) => void

/** Changes the JSON of those successful responses whose requests are meant. */
function altering(which: (request: ProxiedRequest) => boolean, alter: AlterJson): Alteration {
  return {
    onResponse: (response, request) => {
      if (which(request) && response.status < 300 && typeof response.json === 'object') {
        alter(response.json, response, request)
      }
    },
  }
}

const answering = (rule: string, name: string, ...change: Parameters<typeof altering>): ServiceFault =>
  fault(rule, name, altering(...change))

/** Services that break one rule each. */
export const serviceFaults: readonly ServiceFault[] = [
  asking('R1.1', 'has no collection of closed weeks', (request) =>
    isIn('closed-weeks', request) ? problem(404, 'not_found') : undefined,
  ),
  asking('R1.2', 'does not let clients delete entries over REST', (request) => {
    if (request.method === 'DELETE' && isIn('entries', request)) return problem(405, 'method_not_allowed')
  }),
  fault('R1.5', 'does not tell devices what time it is', {
    onResponse: ({ json }) => {
      if (json?.results) json.server_time = '1970-01-01T00:00:00.000Z'
    },
  }),
  asking('R1.3', 'lets clients write closed days over REST', ({ method, path }) =>
    method === 'PUT' && path.startsWith('/api/closed-')
      ? { ...problem(200, ''), headers: { 'saldo-protocol': '1', 'content-type': 'application/json' }, json: {} }
      : undefined,
  ),
  answering(
    'R1.4',
    'leaves adjustments out of the balance',
    ({ path }) => path === '/api/balance',
    (json) => {
      json.balance_ms = json.closed_weeks_delta_ms
      json.projected_balance_ms = json.balance_ms + json.open_delta_ms
    },
  ),
  answering('R2.1', 'does not say when an entry was changed, in pull', isPull, ({ changes }) => {
    for (const record of changes.entries ?? []) record.updated_at = '2000-01-01T00:00:00.000Z'
  }),
  answering(
    'R2.2',
    'writes ids of settings in capitals',
    (request) => isIn('settings', request),
    (json) => {
      if (json.id) json.id = json.id.toUpperCase()
    },
  ),
  answering(
    'R2.3',
    'numbers settings instead of giving them a UUID',
    ({ method, path }) => method === 'POST' && path === '/api/settings',
    (json, _response, { json: said }) => {
      if (said.id === undefined) json.id = '00000000-0000-4000-8000-000000000001'
    },
  ),
  answering(
    'R2.4',
    'leaves updated_at of settings as the body says',
    ({ method, path }) => method === 'PUT' && path.startsWith('/api/settings/'),
    (json, _response, { json: said }) => {
      json.updated_at = said.updated_at ?? json.updated_at
    },
  ),
  fault('R2.5', 'merges pushed settings into what is there, instead of replacing them', () => {
    const notes = new Map<string, string>()
    return {
      onRequest: ({ json }) => {
        for (const { record } of upserts(json, 'settings_history')) {
          record.note ??= notes.get(record.id) ?? ''
          notes.set(record.id, record.note)
        }
      },
    }
  }),
  answering(
    'R2.7',
    'has no adjustments in its summary',
    ({ path }) => path === '/api/balance',
    (json) => {
      delete json.adjustments_delta_ms
    },
  ),
  answering(
    'R3.1',
    'does not list adjustments that were changed',
    ({ method, path }) => method === 'GET' && path.startsWith('/api/balance/adjustments?'),
    (json) => {
      json.items = json.items.filter((item: ProxiedResponse['json']) => item.created_at === item.updated_at)
    },
  ),
  answering('R3.2', 'does not log deletions of adjustments', isPull, ({ deleted }) => {
    delete deleted.balance_adjustments
  }),
  asking('R3.3', 'brings the change at since once more', (request) => {
    const since = sinceOf(request)
    if (since > 0) request.path = request.path.replace(`since=${since}`, `since=${since - 1}`)
  }),
  fault('R3.4', 'never prunes', {
    onResponse: async (response, request, ask) => {
      if (!isPull(request) || response.status !== 410) return
      const snapshot = await ask({ ...request, path: '/api/sync/pull' })
      Object.assign(response, snapshot, { json: { ...snapshot.json, since_tag: null } })
    },
  }),
  fault('R3.5', 'answers 409 where it should say 410', {
    onResponse: (response, request) => {
      if (isPull(request) && response.status === 410) Object.assign(response, problem(409, 'conflict'))
    },
  }),
  fault('R3.6', 'is stale where since is ahead of the counter', {
    onResponse: (response, request) => {
      const since = sinceOf(request)
      if (response.status === 200 && since > response.json.version && since < Number.MAX_SAFE_INTEGER) {
        Object.assign(response, problem(410, 'sync_stale', 'SyncStale'))
      }
    },
  }),
  answering('R3.7', 'takes no adjustments by push', isPush, ({ results }) => {
    for (const result of results) if (result.kind === 'balance_adjustments') result.status = 'skipped'
  }),
  fault('R3.8', 'lets the last writer win', () => {
    let count = 0
    return {
      onRequest: ({ json }) => {
        for (const { record } of upserts(json)) {
          count += 1
          record.updated_at = new Date(Date.parse(record.updated_at) + count * 10).toISOString()
        }
      },
    }
  }),
  answering('R3.9', 'applies changes to closed days', isPush, ({ results }) => {
    for (const result of results) if (result.kind === 'closed_days') result.status = 'applied'
  }),
  fault('R3.10', 'only creates pushed settings, and never replaces them', () => {
    const seen = new Set<string>()
    return {
      onRequest: ({ json }) => {
        for (const { record } of upserts(json, 'settings_history')) {
          if (seen.has(record.id)) record.updated_at = '1990-01-01T00:00:00.000Z'
          seen.add(record.id)
        }
      },
    }
  }),
  asking('R3.11', 'takes only numbers for ids of settings', ({ path }) =>
    /^\/api\/settings\/(?!\d+$)/.test(path) ? problem(404, 'not_found') : undefined,
  ),
  fault('R4.1', 'prunes everything at once', () => {
    let newest = 0
    return {
      onResponse: (response, request) => {
        if (!isPull(request) || response.status !== 200) return
        const isBehind = sinceOf(request) < newest
        newest = Math.max(newest, response.json.version)
        if (isBehind) Object.assign(response, problem(410, 'sync_stale', 'SyncStale'))
      },
    }
  }),
  fault('R4.2', 'puts the marker one too high', {
    onResponse: async (response, request, ask) => {
      const since = sinceOf(request)
      if (response.status !== 200 || !(since > 0)) return
      const before = await ask({ ...request, path: `/api/sync/pull?since=${since - 1}` })
      if (before.status === 410) Object.assign(response, problem(410, 'sync_stale', 'SyncStale'))
    },
  }),
  fault('D1.16', 'does not say that it is a Saldo service', {
    onResponse: ({ headers }) => {
      delete headers['saldo-protocol']
    },
  }),
  asking('D1.2', 'erases fields that it does not know', ({ json }) => {
    for (const record of [json, ...upserts(json).map((change: ProxiedRequest['json']) => change.record)]) {
      for (const name of ['x-mood', 'mood']) if (record) delete record[name]
    }
  }),
  fault('D1.33', 'does not name unknown fields of a query', {
    onResponse: ({ headers }) => {
      if (headers['saldo-unknown-fields']?.startsWith('?')) delete headers['saldo-unknown-fields']
    },
  }),
  answering(
    'D3.64',
    'counts nothing of running work today',
    ({ path }) => path === '/api/account/today',
    (json) => {
      json.worked_ms = 0
    },
  ),
  answering(
    'D1.4',
    'writes instants without milliseconds',
    (request) => isIn('entries', request),
    (json) => {
      if (json.started_at) json.started_at = json.started_at.replace(/\.\d+Z$/, 'Z')
    },
  ),
  fault('D1.18', 'tells of its insides where something is wrong', {
    onResponse: ({ status, json }) => {
      if (status === 422) json.detail = 'Error: bad\n    at store (sqlite.js:1:1)'
    },
  }),
  fault('D1.28', 'answers a read as if a deletion ahead of it on the connection were not handled yet', () => {
    const lastByPath = new Map<string, ProxiedResponse>()
    return {
      onResponse: (response, { method, path }) => {
        const last = lastByPath.get(path)
        if (method !== 'GET') return
        if (response.status === 200) lastByPath.set(path, structuredClone(response))
        else if (response.status === 404 && last) Object.assign(response, last)
      },
    }
  }),
  fault('D1.29', 'refuses what a user asks while another request is in progress', () => {
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
  }),
  asking('D1.30', 'parses a body before it counts its values', ({ method, json }) =>
    method === 'POST' && json === undefined ? problem(400, 'invalid_request') : undefined,
  ),
  asking('D1.31', 'keeps the first thousand keys of an object', ({ json }) => {
    for (const { record } of upserts(json, 'entries')) {
      if (record.x?.[0]) record.x = [Object.fromEntries(Object.entries(record.x[0]).slice(0, 1_000))]
    }
  }),
  asking('D2.7', 'forgets tombstones of what it never knew', (request) => {
    if (!isPush(request)) return undefined
    for (const change of request.json.changes ?? []) {
      if (change?.op === 'delete' && change.kind === 'entries') change.id = '11111111-1111-4111-8111-111111111111'
    }
  }),
  answering(
    'D2.13',
    'trims what was written in a note',
    (request) => isIn('entries', request),
    (json) => {
      if (typeof json.note === 'string') json.note = json.note.trim()
    },
  ),
  answering(
    'D2.34',
    'keeps an amount of time as a share of the day',
    (request) => isIn('entries', request),
    (json) => {
      if (json.amount_ms != null) Object.assign(json, { day_share: json.amount_ms / 28_800_000, amount_ms: null })
    },
  ),
  asking('D2.38', 'knows no work that does not count', ({ json }) => {
    if (json?.counts === false) json.counts = true
  }),
  fault('D3.62', 'stores work that does not count as a field, and counts it', {
    onRequest: ({ json }) => {
      if (json?.counts === false) Object.assign(json, { counts: true, said: false })
      return undefined
    },
    onResponse: ({ json }) => {
      if (json?.said === false) json.counts = false
    },
  }),
  answering(
    'D3.65',
    'calls what is restored changed',
    (request) => isIn('closed-weeks', request),
    ({ revisions = [] }) => {
      for (const { causes } of revisions) for (const cause of causes) if (cause.op === 'restore') cause.op = 'update'
    },
  ),
  answering('D3.27', 'does not bring recomputed closings by pull', isPull, ({ changes }) => {
    delete changes.closed_weeks
  }),
  asking('D3.5', 'counts a break as work', ({ json }) => {
    for (const { record } of upserts(json, 'entries')) if (record.kind === 'break') record.kind = 'work'
  }),
  fault('D3.21', 'closes what has not ended', {
    onResponse: (response, request) => {
      if (request.method !== 'POST' || response.status !== 409) return
      Object.assign(response, problem(200, ''), { json: request.json })
      response.headers['content-type'] = 'application/json'
    },
  }),
  fault('D10.3', 'has digests of what was live when it was first requested', () => {
    let first: unknown
    return altering(
      ({ path }) => path === '/api/sync/digest',
      (json) => {
        first ??= json.kinds.entries
        json.kinds.entries = first
      },
    )
  }),
  fault('D4.2', 'shows a version before what was written under a smaller one', () => {
    const seen = new Set<string>()
    return altering(isPull, ({ changes }) => {
      // A row that has just been written is not there yet when it is first looked for.
      changes.entries = changes.entries?.filter(({ id }: { id: string }) => seen.has(id) || !seen.add(id))
    })
  }),
  answering('D4.3', 'gives all changes of a push one version', isPush, ({ version, results }) => {
    for (const result of results) if (result.version !== undefined) result.version = version
  }),
  answering('D5.4', 'never says that there is more', isPull, (json) => {
    json.has_more = false
  }),
  fault('D5.9', 'gives each page of a snapshot the version of its moment', {
    onResponse: async (response, request, ask) => {
      if (!isPull(request) || response.status !== 200 || !request.path.includes('cursor=')) return
      const { json } = await ask({ ...request, path: `/api/sync/pull?since=${Number.MAX_SAFE_INTEGER}` })
      Object.assign(response.json, { version: json.version, tag: json.tag })
    },
  }),
  asking('D5.12', 'takes a since that is none for 0', (request) => {
    request.path = request.path.replace(/since=(?!\d{1,16}(&|$))[^&]*/, 'since=0')
  }),
  answering('D5.5', 'has one tag for all versions', isPull, (json) => {
    if (json.tag !== null) json.tag = 'tag'
    if (json.since_tag) json.since_tag = 'tag'
  }),
  answering('D5.25', 'promises another page behind a full one', isPull, (json, _response, { path }) => {
    const limit = Number(/[?&]limit=(\d+)/.exec(path)?.[1])
    const lists = [...Object.values(json.changes), ...Object.values(json.deleted)] as unknown[][]
    if (lists.flat().length === limit && !Number.isNaN(sinceOf({ path } as ProxiedRequest))) json.has_more = true
  }),
  asking('D5.3', 'knows no limit', (request) => {
    if (/limit=[1-9]\d{0,3}$/.test(request.path)) request.path = request.path.replace(/[?&]limit=\d+$/, '')
  }),
  answering('D6.5', 'does not return the stored record to a superseded change', isPush, ({ results }) => {
    for (const result of results) delete result.record
  }),
  answering('D6.3', 'answers changes in another order', isPush, ({ results }) => {
    results.reverse()
  }),
  fault('D6.8', 'refuses a whole push for one bad change', {
    onResponse: (response, request) => {
      const isBad =
        isPush(request) && response.json?.results?.some(({ status }: { status: string }) => status === 'rejected')
      if (isBad) Object.assign(response, problem(422, 'invalid_record'))
    },
  }),
  asking('D6.14', 'forgets who claimed', ({ json }) => {
    for (const change of json?.changes ?? []) if (change) delete change.seq
  }),
  fault('D6.13', 'stores the time of a fast clock as it came', {
    onResponse: (response, { json }) => {
      for (const [index, result] of (response.json?.results ?? []).entries()) {
        if (result.status === 'applied') result.updated_at = json.changes[index].record?.updated_at ?? result.updated_at
      }
    },
  }),
  fault('D9.7', 'creates another record where an id comes again', () => {
    const seen = new Set<string>()
    return {
      onRequest: ({ method, path, json }) => {
        if (method === 'POST' && path === '/api/entries' && json?.id) {
          if (seen.has(json.id)) delete json.id
          else seen.add(json.id)
        }
      },
    }
  }),
  asking('D6.21', 'does not ask whether a record has changed since', ({ headers }) => {
    delete headers['if-match']
  }),
  asking('D6.16', 'stamps a device’s direct write itself', (request) => {
    if (request.method !== 'GET') request.path = request.path.replace(/\?updated_at=.*/, '')
  }),
  asking('D6.18', 'serves whoever is signed in, whomever a request means', ({ headers }) => {
    delete headers['saldo-user']
  }),
  fault('D8.1', 'shows a user what another wrote', () => {
    let first: string | undefined
    return {
      onRequest: ({ method, path, headers }) => {
        first ??= headers.authorization
        if (method === 'GET' && path.startsWith('/api/entries/') && first && headers.authorization)
          headers.authorization = first
      },
    }
  }),
  fault('D9.6', 'does not say where a new record is', {
    onResponse: ({ headers }) => {
      delete headers.location
    },
  }),
  asking('D9.3', 'ignores dates in lists', (request) => {
    request.path = request.path.replaceAll(/(from|to)=9001[^&]*&?/g, '')
  }),
  answering(
    'D16.4',
    'dates generated holidays so that they look like edits',
    (request) => isIn('entries', request),
    ({ items = [] }) => {
      for (const entry of items) if (entry.source === 'holidays') entry.updated_at = entry.created_at
    },
  ),
  answering(
    'D17.1',
    'entitles to no less than a half of the days of a year',
    ({ path }) => path.startsWith('/api/account/vacation'),
    ({ vacation }) => {
      if (vacation && vacation.entitled > 0) vacation.entitled = Math.max(vacation.entitled, 12)
    },
  ),
  answering(
    'D17.3',
    'counts each begun day of vacation as a whole one',
    ({ path }) => path.startsWith('/api/account/vacation'),
    ({ vacation }) => {
      if (vacation) vacation.taken = Math.ceil(vacation.taken)
    },
  ),
  answering(
    'D18.5',
    'counts the accepted expiry in the balance of its own period',
    ({ path }) => path.startsWith('/api/account/proposals'),
    ({ items = [] }) => {
      for (const proposal of items) proposal.balance_ms -= proposal.expired_ms ?? 0
    },
  ),
  answering(
    'D21.5',
    'names no scopes',
    ({ path }) => path === '/api/openapi.json',
    ({ paths }) => {
      for (const { security } of Object.values<ProxiedRequest['json']>(paths).flatMap(Object.values)) {
        for (const way of security) if (way.token) way.token = []
      }
    },
  ),
  fault('D21.7', 'lets pages of all origins read its answers', {
    onResponse: ({ headers }, { headers: { origin } }) => {
      if (origin) headers['access-control-allow-origin'] = origin
    },
  }),
  answering(
    'D21.8',
    'leaves the time that does not count out of reports',
    (request) => isIn('reports', request),
    (json) => {
      json.not_counted_ms = 0
    },
  ),
  fault('D21.9', 'reports about as many days as are asked for', {
    onResponse: (response, request) => {
      if (isIn('reports', request) && response.status === 400) Object.assign(response, problem(200, ''))
    },
  }),
  fault('D24.1', 'says that there is a team without a company', {
    onResponse: (response, { path }) => {
      if (path.startsWith('/api/team') && response.status === 404) Object.assign(response, problem(403, 'forbidden'))
    },
  }),
  asking('D24.8', 'lets every token read the team', ({ path, headers }) =>
    path.startsWith('/api/team') && headers.authorization
      ? { ...problem(200, ''), headers: { 'saldo-protocol': '1', 'content-type': 'application/json' }, json: {} }
      : undefined,
  ),
  answering('D26.9', 'stores absences that have to be asked for', isPush, ({ results = [] }) => {
    for (const result of results) if (result.problem?.code === 'approval_needed') result.status = 'applied'
  }),
  fault('D26.4', 'decides content that nobody has read', {
    onResponse: (response, { path }) => {
      if (path.endsWith('/decision') && response.status === 412) Object.assign(response, decided('declined'))
    },
  }),
  fault('D26.7', 'lets leads approve their own requests', {
    onResponse: (response, { path }) => {
      if (path.endsWith('/decision') && response.status === 403) Object.assign(response, decided('approved'))
    },
  }),
  answering(
    'D25.2',
    'shows colleagues why somebody is away',
    ({ path }) => path.startsWith('/api/team/away'),
    ({ items = [] }) => {
      for (const { dates } of items) for (const each of dates) each.kind = 'sick'
    },
  ),
]
