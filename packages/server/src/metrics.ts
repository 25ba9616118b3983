import type { RequestListener } from 'node:http'
import { epochMs, type MailDelivery, SECOND_MS } from '@saldo/core'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { UnavailableError } from './errors.ts'
import type { Meter } from './meter.ts'
import type { Storage } from './store/storage.ts'

/** In seconds: from a small pull to the largest push on a busy machine. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
/** Up to the maximum number of writes in one commit. */
const COMMIT_BUCKETS = [1, 2, 4, 8, 16, 32, 64]

/** The metrics of the service and its process, for Prometheus. */
export interface Metrics {
  meter: Meter
  /** Returns a listener that answers `GET /metrics`, and nothing else. */
  page(sources: { openStreams: () => number; storage: Pick<Storage, 'facts'> }): RequestListener
}

const FREE_SPACE = 'saldo_disk_free_bytes'
/** Metrics of Node that are gauges under the name of a counter, which Prometheus warns about. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Creates the metrics; `build` identifies the program. Labels have few values, the same for every user. */
export function createMetrics(build: string): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of MISNAMED) registry.removeSingleMetric(name)
  const metric = <const L extends string>(name: string, help: string, ...labelNames: L[]) => ({
    name: `saldo_${name}`,
    help,
    labelNames,
    registers,
  })

  const durations = new Histogram({
    ...metric(
      'http_request_duration_seconds',
      'Time from a request to the headers of its response.',
      'method',
      'route',
      'status',
    ),
    buckets: DURATION_BUCKETS,
  })
  const commits = new Histogram({ ...metric('commit_writes', 'Writes per commit.'), buckets: COMMIT_BUCKETS })
  const changes = new Counter(metric('push_changes_total', 'Pushed changes, by result.', 'status'))
  const pulls = new Counter(metric('pulls_total', 'Pulls, by outcome.', 'outcome'))
  const usersDue = new Gauge(metric('users_with_work_due', 'Users with due jobs for whom this node looks, at most 20.'))
  const clockInDoubt = new Gauge(metric('clock_in_doubt', '1 while the clock is far ahead of the last run of jobs.'))
  const pieces = new Counter(metric('work_pieces_total', 'Completed pieces of jobs.', 'kind'))
  const failures = new Counter(metric('work_failures_total', 'Failed pieces of jobs, to be retried.'))
  const attempts = new Counter(
    metric('webhook_attempts_total', 'Attempts to deliver to webhooks, by outcome.', 'outcome'),
  )
  const mails = new Counter(metric('mails_total', 'Mails, by outcome.', 'outcome'))
  const size = new Gauge(metric('database_size_bytes', 'Size of the database.'))
  const free = new Gauge(metric('disk_free_bytes', 'Free space on the disk of the database; of SQLite only.'))
  const backup = new Gauge(
    metric('last_backup_timestamp_seconds', 'Time of the last "saldo admin backup"; 0 if there was none.'),
  )
  const jobsDue = new Gauge(metric('jobs_due', 'Jobs that are due.'))
  const streams = new Gauge(metric('event_streams', 'Open event streams.'))
  new Gauge(metric('build_info', 'The running build.', 'build')).set({ build }, 1)

  // A counter that begins with its first event hides that event: an increase needs a value before it.
  for (const status of pushStatuses) changes.inc({ status }, 0)
  for (const outcome of pullOutcomes) pulls.inc({ outcome }, 0)
  for (const kind of jobKinds) pieces.inc({ kind }, 0)
  for (const outcome of deliveryStates) attempts.inc({ outcome }, 0)
  for (const outcome of mailOutcomes) mails.inc({ outcome }, 0)

  return {
    meter: {
      answered: ({ route, method, status, seconds }) =>
        durations.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, seconds),
      committed: (writes) => commits.observe(writes),
      pushed: (status) => changes.inc({ status }),
      pulled: (outcome) => pulls.inc({ outcome }),
      foundDue: (users) => usersDue.set(users),
      judgedClock: (isInDoubt) => clockInDoubt.set(Number(isInDoubt)),
      ranPiece: (kind) => pieces.inc({ kind }),
      pieceFailed: () => failures.inc(),
      triedWebhook: (outcome) => attempts.inc({ outcome }),
      mailed: (outcome) => mails.inc({ outcome }),
    },
    page:
      ({ openStreams, storage }) =>
      ({ method, url }, response) => {
        if (url !== '/metrics' || (method !== 'GET' && method !== 'HEAD')) {
          response.writeHead(404).end()
          return
        }
        streams.set(openStreams())
        measureStorage(storage).then(
          (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
          () => response.writeHead(500).end(),
        )
      },
  }

  async function measureStorage(storage: Pick<Storage, 'facts'>): Promise<string> {
    try {
      const { sizeBytes, freeBytes, lastBackup, jobsDue: due } = await storage.facts()
      size.set(sizeBytes)
      // Zero would be an alarm where the disk is that of another computer.
      if (freeBytes === null) registry.removeSingleMetric(FREE_SPACE)
      else free.set(freeBytes)
      backup.set(lastBackup === null ? 0 : epochMs(lastBackup) / SECOND_MS)
      jobsDue.set(due)
    } catch (error) {
      // The database is away, which the other metrics show.
      if (!(error instanceof UnavailableError)) throw error
    }
    return registry.metrics()
  }
}

const pullOutcomes: readonly Parameters<Meter['pulled']>[0][] = ['changes', 'snapshot', 'stale', 'invalid_cursor']
const jobKinds: readonly Parameters<Meter['ranPiece']>[0][] = [
  'recompute',
  'auto_close',
  'holidays',
  'team_facts',
  'inbox_mail',
  'export_trail',
]
const deliveryStates: readonly Parameters<Meter['triedWebhook']>[0][] = ['delivered', 'waiting', 'failed']
const mailOutcomes: readonly MailDelivery[] = ['sent', 'failed']
const pushStatuses: readonly Parameters<Meter['pushed']>[0][] = [
  'applied',
  'unchanged',
  'superseded',
  'skipped',
  'rejected',
]
